package io.waybill.transport;

import io.waybill.store.Shelf;

final class WronglyKnowsTheStore {
    Shelf shelf = new Shelf();
}
