import { folderOf } from '#contracts/source-name.js';
import { imageLine } from '../../offline/image-line.js';
import { imagesOf } from '../../offline/sources/kind.js';
import type { DocumentPorts } from '../ports.js';
import type { DocumentState, DocumentUpdate } from '../state.js';

/**
 * Adds the images that the manuscript of a model does not show to its end, so that none is lost (X1). The manuscript
 * is validated again.
 *
 * @returns an empty update if it shows all
 */
export async function attachImages(ports: DocumentPorts, state: DocumentState): Promise<DocumentUpdate> {
  const { temp_md_path: pointer, text_files } = state;
  const images = imagesOf(state);
  if (images.length === 0 || pointer === null) return {};
  const text = (await ports.manuscripts.lines(pointer)).join('\n');
  const shown = new Set<string>();
  // References are relative to the folder of their source.
  const folders = new Set(text_files.map((name) => folderOf(name)));
  for (const folder of folders)
    for (const name of await ports.rules.placedImages(`${folder}manuscript.md`, text, images))
      shown.add(name);
  const lines = images.filter((name) => !shown.has(name)).map((name) => `\n${imageLine(name)}\n`);
  if (lines.length === 0) return {};
  const { pointer: temp_md_path, outline } = await ports.manuscripts.append(pointer, lines.join(''));
  return { temp_md_path, document_outline: outline };
}
