/** Runs the examples, and compares the documents with them. */
package com.acme.examples;
