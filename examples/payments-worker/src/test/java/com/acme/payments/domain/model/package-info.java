@NullMarked
package com.acme.payments.domain.model;

import org.jspecify.annotations.NullMarked;
