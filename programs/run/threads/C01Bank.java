import java.util.*;

/** Transfers between accounts with ordered locks; the total is kept, snapshots are consistent. */
public class C01Bank {
    static class Account {
        final int id;
        private long balance;
        private int version;
        Account(int id, long b) { this.id = id; balance = b; }
    }
    static class InsufficientFunds extends Exception {
        InsufficientFunds(Account a, long n) { super("account " + a.id + " lacks " + (n - a.balance)); }
    }
    final Account[] accounts;
    int refused;
    final Object auditLock = new Object();
    C01Bank(int n, long each) { accounts = new Account[n]; for (int i = 0; i < n; i++) accounts[i] = new Account(i, each); }

    void transfer(int from, int to, long amount) throws InsufficientFunds {
        if (from == to) return;
        Account a = accounts[from], b = accounts[to], first = from < to ? a : b, second = from < to ? b : a;
        synchronized (first) {
            synchronized (second) {
                if (a.balance < amount) throw new InsufficientFunds(a, amount);
                a.balance -= amount;
                b.balance += amount;
                a.version++;
                b.version++;
            }
        }
    }
    long total(int i) {
        if (i == accounts.length) {
            long t = 0;
            for (Account a : accounts) t += a.balance;
            return t;
        }
        synchronized (accounts[i]) {
            return total(i + 1);
        }
    }

    public static void main(String[] args) throws Exception {
        C01Bank bank = new C01Bank(8, 1000);
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Random r = new Random(t);
            all.add(new Thread(() -> {
                for (int i = 0; i < 300; i++) {
                    try {
                        bank.transfer(r.nextInt(8), r.nextInt(8), r.nextInt(400));
                    } catch (InsufficientFunds e) {
                        if (!e.getMessage().startsWith("account")) throw new AssertionError();
                        synchronized (bank.auditLock) { bank.refused++; }
                    }
                }
            }));
        }
        boolean[] consistent = {true};
        Thread auditor = new Thread(() -> { for (int i = 0; i < 50; i++) { if (bank.total(0) != 8000) consistent[0] = false; Thread.yield(); } });
        auditor.start();
        all.forEach(Thread::start);
        for (Thread t : all) t.join();
        auditor.join();
        int versions = 0;
        boolean negative = false;
        for (Account a : bank.accounts) { versions += a.version; negative |= a.balance < 0; }
        System.out.println(bank.total(0) + " " + consistent[0] + " " + negative + " " + (versions % 2 == 0));
    }
}
