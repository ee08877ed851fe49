package dev.tidemark.backup;

/**
 * Why a service makes no copy.
 *
 * @param lasting whether trying again later does not help
 */
public record BackupRefusal(String why, boolean lasting) {
    public static BackupRefusal forNow(String why) {
        return new BackupRefusal(why, false);
    }

    public static BackupRefusal lasting(String why) {
        return new BackupRefusal(why, true);
    }
}
