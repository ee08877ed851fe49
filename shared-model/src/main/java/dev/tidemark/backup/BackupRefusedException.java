package dev.tidemark.backup;

/** No copy is made at the moment; trying again later helps. */
public final class BackupRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    BackupRefusedException(String why) {
        super(why);
    }
}
