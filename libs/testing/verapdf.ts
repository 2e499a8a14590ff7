import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PdfStandard } from '#contracts/file-kinds.js';

/** Folder with the classes of veraPDF, which needs Java. */
const INSTALLED = process.env['SCRIPTORIUM_TEST_VERAPDF'];

export const hasVeraPdf = INSTALLED !== undefined && INSTALLED !== '';

const FLAVOURS: Record<PdfStandard, string> = { 'ua-1': 'PDFUA_1', 'a-2b': 'PDFA_2_B' };

const CHECK_ALL = `
import java.io.File;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

class CheckAll {
  public static void main(String[] args) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    for (int i = 0; i < args.length; i += 2) {
      PDFAFlavour flavour = PDFAFlavour.valueOf(args[i + 1]);
      try (PDFAParser parser = Foundries.defaultInstance().createParser(new File(args[i]), flavour)) {
        var result = Foundries.defaultInstance().createValidator(flavour, false).validate(parser);
        for (TestAssertion one : result.getTestAssertions())
          if (one.getStatus() == TestAssertion.Status.FAILED)
            System.out.println("FAILED " + args[i] + " " + one.getRuleId().getClause() + " " + one.getMessage());
        System.out.println("CHECKED " + args[i] + " " + result.isCompliant());
      }
    }
  }
}
`;

/** Returns what veraPDF finds in PDFs that claim to keep a standard, one line each; and how many it has checked. */
export function veraPdf(files: { bytes: Uint8Array; standard: PdfStandard }[]): {
  failures: string[];
  checked: number;
} {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-verapdf-'));
  try {
    writeFileSync(join(folder, 'CheckAll.java'), CHECK_ALL);
    const args = files.flatMap(({ bytes, standard }, n) => {
      writeFileSync(join(folder, `${n}.pdf`), bytes);
      return [`${n}.pdf`, FLAVOURS[standard]];
    });
    const classes = join(INSTALLED!, '*');
    const output = execFileSync('java', ['-cp', classes, 'CheckAll.java', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const lines = output.split('\n');
    return {
      failures: lines.filter((line) => line.startsWith('FAILED ')),
      checked: lines.filter((line) => /^CHECKED .* true$/.test(line)).length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
