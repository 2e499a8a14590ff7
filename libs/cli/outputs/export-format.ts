import type { ExportFormat } from '#contracts/file-kinds.js';
import { extname } from 'node:path';

/** Export format by file extension; a .zip contains Markdown with its assets. */
const FORMATS: Record<string, ExportFormat> = {
  '.docx': 'docx',
  '.pdf': 'pdf',
  '.epub': 'epub',
  '.zip': 'md',
};

/** Returns the format of a file by its extension; undefined for another one. */
export const exportFormatOf = (file: string): ExportFormat | undefined =>
  FORMATS[extname(file).toLowerCase()];
