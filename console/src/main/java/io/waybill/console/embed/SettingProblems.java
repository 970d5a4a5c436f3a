package io.waybill.console.embed;

/** Takes what is wrong with the settings, until all of it can be said at once. */
@FunctionalInterface
public interface SettingProblems {

    /**
     * Notes a setting that is wrong.
     *
     * @param setting its name below those of the console, such as {@code trusted-proxies}
     * @param value as it was given; empty when it was not
     * @param rule what it must be
     */
    void add(String setting, String value, String rule);
}
