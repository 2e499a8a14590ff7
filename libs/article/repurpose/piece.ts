import type { Piece } from '../contract/repurpose.js';

/** Returns the parts of a piece as published: numbered in a thread, with hashtags after the last part. */
export function publishedParts({
  platform,
  parts,
  hashtags,
}: Pick<Piece, 'platform' | 'parts' | 'hashtags'>): string[] {
  const tags = hashtags.map((tag) => `#${tag}`).join(' ');
  return parts.map((part, index) => {
    const numbered =
      platform === 'x_thread' && parts.length > 1 ? `${index + 1}/${parts.length} ${part}` : part;
    if (tags === '' || index < parts.length - 1 || platform === 'video_script') return numbered;
    return `${numbered}${platform === 'linkedin' ? '\n\n' : ' '}${tags}`;
  });
}

/** Renders a piece as a text to copy from, with separate posts of a thread and scenes of a video. */
export function renderPiece(piece: Piece): string {
  const { platform, title, hashtags } = piece;
  const parts = publishedParts(piece);
  const tags =
    platform === 'video_script' && hashtags.length > 0 ? [hashtags.map((tag) => `#${tag}`).join(' ')] : [];
  const body =
    platform === 'video_script' ? parts.map((part, index) => `**Scene ${index + 1}**\n\n${part}`) : parts;
  const head = title === null ? [] : [platform === 'newsletter' ? `Subject: ${title}` : `# ${title}`];
  return `${[...head, ...body, ...tags].join(platform === 'x_thread' ? '\n\n---\n\n' : '\n\n')}\n`;
}
