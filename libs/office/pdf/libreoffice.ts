import { spawn } from 'node:child_process';
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
    return await readFile(join(folder, 'document.pdf')).catch(() => {
      throw new Error('LibreOffice did not write a PDF');
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
