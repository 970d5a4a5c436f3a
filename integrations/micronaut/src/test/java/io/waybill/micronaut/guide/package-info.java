/**
 * The listings of the developer's guide, as near to the letter as the language allows: what the guide leaves out ({@code ...}) is filled
 * in, Lombok's constructors and getters are written out, and a mapper is plain JDBC. The beans are there only for
 * {@link io.waybill.micronaut.guide.GuideListingsTest}.
 */
@Configuration
@Requires(property = "spec", value = "guide")
package io.waybill.micronaut.guide;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
