import { fileSchema, sessionSchema } from '#contracts/api/schemas.js';
import type { Session } from '#db/repositories/sessions.js';
import type { SessionFile } from '#db/repositories/session-files.js';
import { view } from '../http/view.js';

/** Returns the API view of a session. */
export const sessionView = (session: Session) => view(sessionSchema, session);

export const fileView = (file: SessionFile) => view(fileSchema, file);
