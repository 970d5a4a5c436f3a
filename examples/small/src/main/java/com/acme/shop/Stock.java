package com.acme.shop;

import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Stock {
    @Transactional
    public Map<String, Object> reserve(ReserveCommand command) {
        return Map.of("reserved", command.amount());
    }
}
