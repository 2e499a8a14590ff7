import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folder with the classes of epubcheck, which needs Java. */
const INSTALLED = process.env['SCRIPTORIUM_TEST_EPUBCHECK'];

export const hasEpubcheck = INSTALLED !== undefined && INSTALLED !== '';

/** Checks all books in one process, because Java takes longer to start than to check a book. */
const CHECK_ALL = `
import com.adobe.epubcheck.api.EpubCheck;
import com.adobe.epubcheck.util.WriterReportImpl;
import java.io.File;
import java.io.PrintWriter;

class CheckAll {
  public static void main(String[] paths) {
    PrintWriter out = new PrintWriter(System.out, true);
    for (String path : paths) new EpubCheck(new File(path), new WriterReportImpl(out)).check();
  }
}
`;

/** Returns epubcheck's errors and warnings about books, one line each. */
export function epubcheck(books: Uint8Array[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-epub-'));
  try {
    writeFileSync(join(folder, 'CheckAll.java'), CHECK_ALL);
    const names = books.map((bytes, n) => {
      const name = `book-${n}.epub`;
      writeFileSync(join(folder, name), bytes);
      return name;
    });
    const classes = join(INSTALLED!, '*');
    const output = execFileSync('java', ['-cp', classes, 'CheckAll.java', ...names], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // Ignore the empty warning at the start of the report.
    return output.split('\n').filter((line) => /^(?:FATAL|ERROR|WARNING): (?!: $)/.test(line));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
