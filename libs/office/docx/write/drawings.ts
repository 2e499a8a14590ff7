import type { ImageInline } from '#contracts/structure.js';
import type { WriteContext } from './context.js';
import type { Relationships } from './relationships.js';
import { missingImageText } from './missing-image.js';
import { escapeAttribute, escapeText } from './xml.js';

const EMU_PER_PIXEL = 9525;
const EMU_PER_TWIP = 635;
/** Height reserved under an image for its caption and a line of text, in twentieths of a point. */
const CAPTION_ROOM = 1400;

/**
 * Writes a run with an image that fits within the margins and keeps its aspect ratio; a placeholder text if
 * the file is missing.
 *
 * @param above height of content that must stay on the same page, such as the heading, in twentieths of a
 * point
 */
export function drawingXml(
  image: ImageInline,
  context: WriteContext,
  rels: Relationships,
  indent: number,
  above = 0,
): string {
  const asset = context.asset(image.ref);
  if ('missing' in asset) {
    const words = missingImageText(image, asset.missing, context.labels);
    return `<w:r><w:rPr><w:rStyle w:val="${context.styles.id('Missing Asset')}"/></w:rPr><w:t xml:space="preserve">${escapeText(words)}</w:t></w:r>`;
  }
  const size = fit(image, asset.width, asset.height, context, { indent, above });
  const picture = context.embed(asset, rels);
  const id = context.nextId();
  const name = `Picture ${id}`;
  const description = ` descr="${escapeAttribute(image.alt)}"${image.title ? ` title="${escapeAttribute(image.title)}"` : ''}`;
  const extent = `cx="${size.width}" cy="${size.height}"`;
  return (
    `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${extent}/><wp:docPr id="${id}" name="${name}"${description}/>` +
    `<wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr>` +
    `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="${id}" name="${name}"${description}/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill><a:blip r:embed="${picture}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
  );
}

function fit(
  image: ImageInline,
  naturalWidth: number,
  naturalHeight: number,
  context: WriteContext,
  { indent, above }: { indent: number; above: number },
) {
  const ratio = naturalHeight / naturalWidth;
  const requestedWidth = image.width ?? (image.height ? image.height / ratio : naturalWidth);
  const wantedHeight = image.width && image.height ? image.height : requestedWidth * ratio;
  const { height, margin } = context.page;
  const maxWidth = Math.max(600, context.textWidth - indent) * EMU_PER_TWIP;
  const maxHeight = (height - 2 * margin - CAPTION_ROOM - above) * EMU_PER_TWIP;
  const scale = Math.min(
    1,
    maxWidth / (requestedWidth * EMU_PER_PIXEL),
    maxHeight / (wantedHeight * EMU_PER_PIXEL),
  );
  const emu = (pixels: number): number => Math.max(1, Math.round(pixels * scale * EMU_PER_PIXEL));
  return { width: emu(requestedWidth), height: emu(wantedHeight) };
}
