/** The processes: which command follows which, and what undoes it. */
@NullMarked
package com.acme.payments.orchestration;

import org.jspecify.annotations.NullMarked;
