import { z } from 'zod';
import { ExtractionError } from './errors.js';
import type { EmbeddedImages } from './embedded-images.js';
import { fenceLines, imageMarkdown } from './inline-text.js';

const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (typeof text === 'string' ? text : text.join('')));
const outputSchema = z.object({
  text: lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  traceback: z.array(z.string()).optional(),
});
const notebookSchema = z.object({
  cells: z.array(
    z.object({
      cell_type: z.string(),
      source: lines,
      outputs: z.array(outputSchema).optional(),
      attachments: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    }),
  ),
  metadata: z
    .object({
      kernelspec: z.object({ language: z.string().optional() }).optional(),
      language_info: z.object({ name: z.string().optional() }).optional(),
    })
    .optional(),
});

/**
 * Returns a Jupyter notebook as Markdown. Markdown cells are unchanged; raw cells, code cells and textual
 * outputs become code fences.
 */
export function notebookText(json: string, fileName: string, images: EmbeddedImages): string {
  const notebook = parseNotebook(json, fileName);
  const fenced = (text: string, info: string) => fenceLines(text, info).join('\n');
  const language =
    notebook.metadata?.language_info?.name ?? notebook.metadata?.kernelspec?.language ?? 'python';
  const blocks: string[] = [];
  for (const cell of notebook.cells) {
    const source = cell.source.replace(/\n$/, '');
    if (cell.cell_type === 'code') {
      if (source !== '') blocks.push(fenced(source, language));
      for (const output of cell.outputs ?? []) {
        const text = outputText(output);
        if (text !== '') blocks.push(fenced(text, 'text'));
        blocks.push(...outputImages(output, images));
      }
    } else if (source.trim() !== '')
      blocks.push(
        cell.cell_type === 'markdown'
          ? withAttachments(source, cell.attachments, images)
          : fenced(source, 'text'),
      );
  }
  return blocks.length > 0 ? `${blocks.join('\n\n')}\n` : '';
}

function parseNotebook(json: string, fileName: string): z.infer<typeof notebookSchema> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ExtractionError(`${fileName} is no notebook: it is not JSON`);
  }
  const parsed = notebookSchema.safeParse(value);
  if (!parsed.success)
    throw new ExtractionError(
      `${fileName} is no notebook of format 4: ${parsed.error.issues[0]?.message ?? ''}`,
    );
  return parsed.data;
}

function outputText(output: z.infer<typeof outputSchema>): string {
  const plain = lines.safeParse(output.data?.['text/plain']);
  const text = output.text ?? (plain.success ? plain.data : (output.traceback?.join('\n') ?? ''));
  // Remove terminal colour codes.
  return text.replace(/\u001b\[[\d;]*m/g, '').replace(/\n$/, '');
}

/** Extracts the picture of an output, such as a plot: the first media type that is an image. */
function outputImages({ data = {} }: z.infer<typeof outputSchema>, images: EmbeddedImages): string[] {
  for (const [mediaType, value] of Object.entries(data)) {
    const content = lines.safeParse(value);
    if (!mediaType.startsWith('image/') || !content.success) continue;
    const isText = mediaType === 'image/svg+xml';
    const base64 = isText ? Buffer.from(content.data).toString('base64') : content.data;
    const name = images.addBase64(mediaType, base64);
    if (name !== null) return [imageMarkdown(name, '')];
  }
  return [];
}

/** Replaces `attachment:plot.png` with the name of the extracted picture. */
function withAttachments(
  source: string,
  attachments: Record<string, Record<string, unknown>> = {},
  images: EmbeddedImages,
): string {
  let text = source;
  for (const [file, kinds] of Object.entries(attachments)) {
    const [mediaType = '', value] = Object.entries(kinds)[0] ?? [];
    const content = lines.safeParse(value);
    const name = content.success ? images.addBase64(mediaType, content.data) : null;
    if (name === null) continue;
    for (const written of new Set([file, encodeURI(file)]))
      text = text.replaceAll(`attachment:${written}`, encodeURI(name).replace(/[()]/g, encodeURIComponent));
  }
  return text;
}
