package io.waybill.jms.client;

import jakarta.jms.ConnectionFactory;

/** Which broker it is, as far as that matters. */
public enum JmsProduct {
    ARTEMIS("Artemis", true) {
        @Override
        public String howToDefine(String queue) {
            return "artemis queue create --name " + queue + " --address " + queue
                    + " --anycast --durable --auto-create-address --preserve-on-no-consumers";
        }
    },

    IBM_MQ("IBM MQ", false) {
        @Override
        public String howToDefine(String queue) {
            return "DEFINE QLOCAL('" + queue + "') MAXDEPTH(50000) DEFPSIST(YES) BOTHRESH(10) BOQNAME('" + queue
                    + ".BACKOUT')";
        }
    },

    OTHER("The JMS broker", false) {
        @Override
        public String howToDefine(String queue) {
            return "create the queue '" + queue + "'";
        }
    };

    private final String label;
    private final boolean keepsGroups;

    JmsProduct(String label, boolean keepsGroups) {
        this.label = label;
        this.keepsGroups = keepsGroups;
    }

    /** Told by the factory's class; a pool around it hides that. */
    public static JmsProduct of(ConnectionFactory factory) {
        String name = factory.getClass().getName();
        if (name.startsWith("org.apache.activemq.")) {
            return ARTEMIS;
        }
        return name.startsWith("com.ibm.") ? IBM_MQ : OTHER;
    }

    String label() {
        return label;
    }

    /** Whether all messages of one JMSXGroupID go to one consumer. */
    public boolean keepsGroups() {
        return keepsGroups;
    }

    /** The command for an administrator. */
    public abstract String howToDefine(String queue);
}
