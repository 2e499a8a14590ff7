import type { Session } from '#db/repositories/sessions.js';
import type { SessionFile } from '#db/repositories/session-files.js';

/** Returns the API view of a session. */
export const sessionView = (session: Session) => ({
  id: session.id,
  title: session.title,
  forked_from: session.forkedFrom,
  created_at: session.createdAt.toISOString(),
});

export const fileView = (file: SessionFile) => ({
  name: file.name,
  size: file.size,
  sha256: file.sha256,
  media_type: file.mediaType,
  created_at: file.createdAt.toISOString(),
});
