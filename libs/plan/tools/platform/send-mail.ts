import { z } from 'zod';
import { hostOf, hostSchema } from '../../contract/secret-schemas.js';
import type { ToolPorts } from '../ports.js';
import { defineTool } from '../tool.js';

export const SEND_MAIL = 'send_mail';

const addresses = z.array(z.email().max(254)).max(50);
/** One line: a line break would begin another header. */
const subjectLine = z
  .string()
  .max(500)
  .regex(/^[^\r\n]*$/);

/** The port of the host of a URL, unless it is that of https. */
const portOf = (host: string): string => new URL(`https://${hostOf(host) ?? 'none'}`).port;

/** The name of a secret in place of its value, as in headers of HTTP requests. */
const NAMED_SECRET = /^\{\{[a-z][a-z0-9_-]{0,39}\}\}$/;

export const mailSchema = z.object({
  server: hostSchema
    .refine((host) => portOf(host) !== '', { message: 'needs a port' })
    .describe(
      'SMTP server with its port, as in smtp.example.com:587 (465 or 587, unless the operator allows others)',
    ),
  sign_in: z
    .object({
      user: z.string().min(1).max(254),
      password: z.string().regex(NAMED_SECRET).describe('a named secret, as in {{mail}}'),
    })
    .strict()
    .optional()
    .describe('omit it if the server needs no sign-in'),
  from: z.email().max(254).describe('address of the sender'),
  to: addresses.min(1).describe('addresses of the recipients'),
  cc: addresses.optional(),
  reply_to: z.email().max(254).optional(),
  subject: subjectLine,
  text: z.string().max(1_000_000).describe('plain text of the mail'),
  files: z
    .array(z.string().min(1).max(300))
    .max(10)
    .optional()
    .describe('names of files to attach: files that the plan has written, or inputs'),
});

export const sendMail = defineTool({
  name: SEND_MAIL,
  description:
    'Send a mail through an SMTP server, with the password from a secret of the tenant, and with files of the plan.',
  input: mailSchema,
  output: z.object({
    message_id: z.string(),
    accepted: z.array(z.string()).describe('addresses that the server took'),
    rejected: z.array(z.string()).describe('addresses that the server refused'),
  }),
  sideEffects: true,
  timeoutMs: 60_000,
  cost: 3,
  async run(mail, ports: ToolPorts) {
    const { messageId, accepted, rejected } = await ports.sendMail(mail);
    return { message_id: messageId, accepted, rejected };
  },
});
