/**
 * The application's data sources and transactions.
 *
 * <p>{@link io.waybill.spring.transaction.SpringTransactions} joins the transaction that Spring has opened; {@link
 * io.waybill.spring.transaction.DataSourceChoice} finds the data source of an instance.
 */
@NullMarked
package io.waybill.spring.transaction;

import org.jspecify.annotations.NullMarked;
