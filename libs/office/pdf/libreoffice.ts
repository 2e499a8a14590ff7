import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Export options: tags for screen readers, an outline of headings, the document's title in the window. */
const FILTER = {
  UseTaggedPDF: { type: 'boolean', value: 'true' },
  ExportBookmarks: { type: 'boolean', value: 'true' },
  DisplayPDFDocumentTitle: { type: 'boolean', value: 'true' },
  EmbedStandardFonts: { type: 'boolean', value: 'true' },
};

/** LibreOffice is not installed. */
export class LibreOfficeMissing extends Error {}

/**
 * Converts a DOCX to PDF with LibreOffice. Each call uses a separate profile, so that conversions can run
 * concurrently with independent settings.
 *
 * @param program name or path of LibreOffice
 * @throws LibreOfficeMissing, or Error if it fails or exceeds `timeLimitMs`
 */
export async function libreOfficePdf(
  docx: Uint8Array,
  timeLimitMs: number,
  program: string,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-pdf-'));
  try {
    const input = join(folder, 'document.docx');
    await writeFile(input, docx);
    await run(
      program,
      [
        `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
        '--headless',
        '--norestore',
        '--convert-to',
        `pdf:writer_pdf_Export:${JSON.stringify(FILTER)}`,
        '--outdir',
        folder,
        input,
      ],
      timeLimitMs,
    );
    const pdf = await readFile(join(folder, 'document.pdf')).catch(() => {
      throw new Error('LibreOffice did not write a PDF');
    });
    return withoutClock(pdf, docx);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Replaces the date of the PDF and its IDs, which contain it, so that equal input gives equal bytes. */
function withoutClock(pdf: Buffer, docx: Uint8Array): Uint8Array {
  const id = createHash('sha256').update(docx).digest('hex').slice(0, 32).toUpperCase();
  // Texts of the same length: the PDF lists the positions of its objects.
  const fixed = pdf
    .toString('latin1')
    .replace(/\/CreationDate\(D:\d{14}/, '/CreationDate(D:20000101000000')
    .replace(/\/ID \[ <[0-9A-F]{32}>\n<[0-9A-F]{32}>/, `/ID [ <${id}>\n<${id}>`)
    .replace(/\/DocChecksum \/[0-9A-F]{32}/, `/DocChecksum /${id}`);
  return Buffer.from(fixed, 'latin1');
}

function run(program: string, args: string[], timeLimitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Separate process group, since LibreOffice's launcher starts the real program as a child.
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => {
      errors = (errors + data.toString('utf8')).slice(-2000);
    });
    const timer = setTimeout(() => {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
      reject(new Error(`LibreOffice took longer than ${timeLimitMs} ms`));
    }, timeLimitMs);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(error.code === 'ENOENT' ? new LibreOfficeMissing(`${program} is not installed`) : error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`LibreOffice exited with code ${code}: ${errors.trim()}`));
    });
  });
}
