/** Code of the documents that no example runs: it is compiled, and compared with them. */
package com.acme.guide;
