/** The application of the guide for Spring Boot, word for word. */
package com.acme.shop;
