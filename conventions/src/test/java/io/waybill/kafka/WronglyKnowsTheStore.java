package io.waybill.kafka;

import io.waybill.store.Shelf;

final class WronglyKnowsTheStore {
    Shelf shelf = new Shelf();
}
