/** Formats of an exported publication; `md` is a .zip with the Markdown and its images. */
export const exportFormats = ['docx', 'pdf', 'epub', 'md'] as const;
export type ExportFormat = (typeof exportFormats)[number];
