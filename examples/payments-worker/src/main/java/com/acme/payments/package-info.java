/** A worker that moves money: accounts, limits, foreign exchange and payments. */
@NullMarked
package com.acme.payments;

import org.jspecify.annotations.NullMarked;
