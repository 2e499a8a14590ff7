import { dublinCoreReference } from './dublin-core.js';
import { referenceOfProperties, type FileReference } from './properties.js';

/** Reads the properties of a PDF (its dates say when it was saved, not published), its XMP, and its printed page numbers. */
export async function pdfReference(bytes: Uint8Array): Promise<FileReference> {
  // pdf.js is large, so it is loaded only when needed.
  const { getDocumentProxy } = await import('unpdf');
  // pdf.js takes ownership of the buffer, hence the copy.
  const document = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, verbosity: 0 });
  try {
    const { info, metadata } = await document.getMetadata();
    const { Title: title, Author: author } = info as { Title?: unknown; Author?: unknown };
    const raw = (metadata as { getRaw?(): unknown } | null)?.getRaw?.();
    const { issued, ...described } = typeof raw === 'string' ? xmpReference(raw) : {};
    const reference = {
      ...referenceOfProperties({ title, authors: [author] }),
      ...described,
      // Without a journal, a date of XMP is that of the file.
      ...(described.container && issued && { issued }),
    };
    const pageLabels = await document.getPageLabels();
    return pageLabels === null ? { reference } : { reference, pageLabels };
  } finally {
    await document.destroy();
  }
}

function xmpReference(xml: string) {
  try {
    return dublinCoreReference(xml.slice(Math.max(0, xml.indexOf('<'))));
  } catch {
    return {};
  }
}
