package dev.tidemark.settings;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;

/** Reads a catalog from a file in UTF-8. */
public final class CatalogFile {
    private CatalogFile() {}

    /**
     * Reads the catalog in a file.
     *
     * @throws CatalogException when the file cannot be read or is not a catalog
     */
    public static Catalog read(Path file) throws CatalogException {
        try {
            if (Files.size(file) > CatalogReader.MAX_SIZE) {
                throw unreadable(file, "it has " + Files.size(file) + " bytes");
            }
            return CatalogReader.read(file.toString(), Files.readString(file));
        } catch (NoSuchFileException e) {
            throw unreadable(file, "there is none");
        } catch (CharacterCodingException e) {
            throw unreadable(file, "it is not UTF-8");
        } catch (IOException e) {
            throw unreadable(file, "reading failed: " + e);
        }
    }

    private static CatalogException unreadable(Path file, String found) {
        return new CatalogException(List.of(file + ": expected a readable catalog file of at most "
                + CatalogReader.MAX_SIZE + " bytes, but " + found));
    }
}
