import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** The platform's server of beans: its own, a standard one and an open one of the program's. */
public class CServer {
    public interface CounterMBean {
        int getCount();

        void setCount(int count);

        String getName();

        int add(int much);

        void reset();
    }

    public static class Counter extends NotificationBroadcasterSupport implements CounterMBean {
        private int count;

        @Override
        public int getCount() {
            return count;
        }

        @Override
        public void setCount(int count) {
            this.count = count;
            sendNotification(new Notification("counted", this, count, "set to " + count));
        }

        @Override
        public String getName() {
            return "a counter";
        }

        @Override
        public int add(int much) {
            count += much;
            return count;
        }

        @Override
        public void reset() {
            count = 0;
        }
    }

    public static class Shape {
        private final int corners;
        private final List<String> names;

        @java.beans.ConstructorProperties({"corners", "names"})
        public Shape(int corners, List<String> names) {
            this.corners = corners;
            this.names = names;
        }

        public int getCorners() {
            return corners;
        }

        public List<String> getNames() {
            return names;
        }
    }

    public interface BoardMXBean {
        Shape getShape();

        long[] getSizes();
    }

    public static class Board implements BoardMXBean {
        @Override
        public Shape getShape() {
            return new Shape(3, List.of("a", "b", "c"));
        }

        @Override
        public long[] getSizes() {
            return new long[] {1, 2, 3};
        }
    }

    public static void main(String[] args) throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName counter = new ObjectName("test:type=Counter");
        Counter object = new Counter();
        server.registerMBean(object, counter);
        server.setAttribute(counter, new Attribute("Count", 3));
        System.out.println(server.getAttribute(counter, "Count"));
        System.out.println(server.invoke(counter, "add", new Object[] {4}, new String[] {"int"}));
        System.out.println(server.getAttributes(counter, new String[] {"Count", "Name"}));
        server.addNotificationListener(counter,
                (n, back) -> System.out.println(n.getType() + " " + n.getMessage() + " " + back),
                null, "back");
        CounterMBean proxy = JMX.newMBeanProxy(server, counter, CounterMBean.class);
        proxy.setCount(9);
        proxy.reset();
        System.out.println(proxy.getCount() + " " + object.count);
        try {
            server.registerMBean(new Counter(), counter);
        } catch (InstanceAlreadyExistsException e) {
            System.out.println(e.getMessage());
        }
        try {
            server.getAttribute(counter, "Missing");
        } catch (AttributeNotFoundException e) {
            System.out.println(e.getMessage());
        }

        ObjectName board = new ObjectName("test:type=Board");
        server.registerMBean(new Board(), board);
        CompositeData shape = (CompositeData) server.getAttribute(board, "Shape");
        System.out.println(shape.get("corners") + " " + ((String[]) shape.get("names"))[2]);
        BoardMXBean seen = JMX.newMXBeanProxy(server, board, BoardMXBean.class);
        System.out.println(seen.getShape().getNames() + " " + seen.getSizes()[1]);
        System.out.println(new TreeSet<>(server.queryNames(new ObjectName("test:*"), null)));
        server.unregisterMBean(counter);
        try {
            server.getMBeanInfo(counter);
        } catch (InstanceNotFoundException e) {
            System.out.println(e.getMessage());
        }

        Set<String> wanted = new TreeSet<>(Set.of("ClassLoading", "Memory", "OperatingSystem",
                "Runtime", "Threading"));
        for (String type : wanted) {
            System.out.println(type + " " + server.isRegistered(new ObjectName("java.lang:type=" + type)));
        }
        ObjectName threading = new ObjectName("java.lang:type=Threading");
        System.out.println((Integer) server.getAttribute(threading, "ThreadCount") > 0);
        CompositeData info = (CompositeData) server.invoke(threading, "getThreadInfo",
                new Object[] {Thread.currentThread().getId()}, new String[] {"long"});
        System.out.println(info.get("threadName") + " " + info.get("threadState"));
        CompositeData heap = (CompositeData) server.getAttribute(
                new ObjectName("java.lang:type=Memory"), "HeapMemoryUsage");
        System.out.println((Long) heap.get("used") <= (Long) heap.get("committed"));
        System.out.println(server.getAttribute(new ObjectName("java.lang:type=Runtime"), "SpecVersion"));
    }
}
