package dev.tidemark.source.mariadb;

/** A table and its database. */
record TableName(String database, String table) {
    /** Of {@code database.table}; a dot in the name of a database is not possible. */
    static TableName of(String name) {
        int dot = name.indexOf('.');
        return new TableName(name.substring(0, Math.max(0, dot)), name.substring(dot + 1));
    }

    /** As SQL needs it. */
    String quoted() {
        return quoted(database) + "." + quoted(table);
    }

    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
