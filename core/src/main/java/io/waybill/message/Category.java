package io.waybill.message;

import io.waybill.WaybillException;

/** The category of a message: event, command or reply. The column {@code category} holds {@link #label()}. */
public enum Category {
    COMMAND("command"),
    REPLY("reply"),
    EVENT("event");

    private final String label;

    Category(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public static Category of(String label) {
        for (Category category : values()) {
            if (category.label.equals(label)) {
                return category;
            }
        }
        throw new WaybillException(
                "Unknown message category '" + label + "'. The column 'category' holds command, reply or event.");
    }
}
