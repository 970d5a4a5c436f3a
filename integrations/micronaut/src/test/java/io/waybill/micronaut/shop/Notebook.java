package io.waybill.micronaut.shop;

import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Map;

/** Writes notes with Micronaut Data, and tells of them. */
@Singleton
public class Notebook {

    private final Notes notes;
    private final Outbox outbox;

    Notebook(Notes notes, Outbox outbox) {
        this.notes = notes;
        this.outbox = outbox;
    }

    @Transactional
    public void write(String id, boolean fails) {
        notes.save(new Notes.Note(id, "a note"));
        outbox.append(Message.event("Noted", Map.of("id", id)).to("notes." + id));
        if (fails) {
            throw new IllegalStateException("lost the pen for " + id);
        }
    }
}
