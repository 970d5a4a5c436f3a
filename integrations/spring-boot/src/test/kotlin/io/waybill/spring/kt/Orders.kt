package io.waybill.spring.kt

import io.waybill.command.DomainCommand
import io.waybill.inbox.SubscribeTo
import io.waybill.message.AppendTo
import io.waybill.message.MessageType
import io.waybill.outbox.Outbox
import io.waybill.process.definition.ProcessConfiguration
import io.waybill.process.graph.ProcessGraph
import java.util.concurrent.CopyOnWriteArrayList
import org.springframework.context.ApplicationEventPublisher
import org.springframework.transaction.annotation.Transactional

/** One parameter may be null, another has a default. */
data class PlaceOrderCommand(val order: String, val note: String?, val lines: Int = 1) : DomainCommand

/** All have a default, so that its class has a constructor without parameters. */
data class CountCommand(val number: Int = 1, val item: String = "lamp") : DomainCommand

/** A reply. */
data class Placed(val order: String, val note: String?, val lines: Int)

/** An event. */
@MessageType("OrderPlaced")
@AppendTo("orders.placed")
data class OrderPlaced(val order: String, val note: String? = null, val lines: Int = 1)

/** Open, as the compiler plugin 'spring' makes it: its bean is wrapped in a proxy of transactions. */
open class Orders(private val events: ApplicationEventPublisher) {

    @Transactional
    open fun place(command: PlaceOrderCommand): Placed {
        if (isRefused(command)) {
            throw IllegalArgumentException("Nothing to place.")
        }
        events.publishEvent(OrderPlaced(command.order, command.note, command.lines))
        return command.placed()
    }

    companion object {
        /** Takes a command and handles none: it is static. */
        @JvmStatic
        fun isRefused(command: PlaceOrderCommand) = command.lines < 1
    }
}

/** Takes a command and handles none: it is no method of a bean. */
fun PlaceOrderCommand.placed() = Placed(order, note, lines)

/** Final, as every class of Kotlin is by itself; its bean needs no proxy. */
class Ledger {

    val heard = CopyOnWriteArrayList<OrderPlaced>()

    @SubscribeTo("orders.placed")
    fun hear(event: OrderPlaced) {
        heard += event
    }

    fun count(command: CountCommand) = "${command.number} ${command.item}"
}

/** A process. */
class Ordering : ProcessConfiguration {

    override fun getProcessType() = "Ordering"

    override fun defineProcess(): ProcessGraph = process().startWith(PlaceOrderCommand::class.java).end()
}

/** Returns before it is done. */
class SuspendingOrders {

    suspend fun place(command: PlaceOrderCommand) = placeLater(command)

    private suspend fun placeLater(command: PlaceOrderCommand) = command.placed()
}

/** Final, and its bean has to be wrapped in a proxy. It is made after Waybill: of others Spring says it before. */
@Transactional
class FinalOrders(private val outbox: Outbox) {

    fun place(command: PlaceOrderCommand) = outbox.publish(OrderPlaced(command.order))
}
