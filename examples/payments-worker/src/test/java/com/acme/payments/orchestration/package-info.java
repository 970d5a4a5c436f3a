@NullMarked
package com.acme.payments.orchestration;

import org.jspecify.annotations.NullMarked;
