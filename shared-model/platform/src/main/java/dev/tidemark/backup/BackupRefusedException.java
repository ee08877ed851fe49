package dev.tidemark.backup;

/** No copy is made: there is one of that name already, or none can be made. */
public final class BackupRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    BackupRefusedException(BackupRefusal refusal) {
        super(refusal.why());
        this.lasting = refusal.lasting();
    }

    /** Whether trying again later does not help. */
    public boolean isLasting() {
        return lasting;
    }
}
