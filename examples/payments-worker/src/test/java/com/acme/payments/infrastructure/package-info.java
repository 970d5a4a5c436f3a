@NullMarked
package com.acme.payments.infrastructure;

import org.jspecify.annotations.NullMarked;
