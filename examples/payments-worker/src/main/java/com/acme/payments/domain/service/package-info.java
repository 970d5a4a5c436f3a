/** The handlers of the commands: one transaction and one aggregate each. */
@NullMarked
package com.acme.payments.domain.service;

import org.jspecify.annotations.NullMarked;
