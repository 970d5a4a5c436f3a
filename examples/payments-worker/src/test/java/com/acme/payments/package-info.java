@NullMarked
package com.acme.payments;

import org.jspecify.annotations.NullMarked;
