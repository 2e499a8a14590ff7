import type { Resolver } from '#egress/destination.js';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { ToolCallError } from '../tools/tool.js';
import { mailSchema } from '../tools/platform/send-mail.js';
import { MailSender } from './mail-sender.js';

const PASSWORD = 'pass-of-the-tenant';

/** What the server got. */
interface Received {
  session: SMTPServerSession;
  text: string;
}

describe('mails of plans', () => {
  let smtp: SMTPServer;
  let server: string;
  const received: Received[] = [];
  const { signal } = new AbortController();

  beforeAll(async () => {
    smtp = new SMTPServer({
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      authOptional: true,
      onAuth: ({ username, password }, _, done) => {
        if (username === 'ann' && password === PASSWORD) done(null, { user: 'ann' });
        else done(new Error(`wrong password ${String(password)}`));
      },
      onRcptTo: ({ address }, _, done) => done(address.startsWith('gone') ? new Error('no such box') : null),
      onData: (stream, session, done) => {
        void text(stream).then((content) => {
          received.push({ session, text: content });
          done(content.includes('Subject: Spam') ? new Error('it looks like spam') : null);
        });
      },
    });
    smtp.listen(0, '127.0.0.1');
    await once(smtp.server, 'listening');
    server = `127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((done) => smtp.close(done)));

  const secrets = {
    valuesFor: (host: string, _tenant: string, names: readonly string[]) =>
      host === server || names.length === 0
        ? Promise.resolve(new Map(names.map((name) => [name, name === 'wrong' ? 'not-the-one' : PASSWORD])))
        : Promise.reject(new ToolCallError('secret_not_allowed', 'not to this host')),
  };
  const nowhere: Resolver = () => Promise.resolve([]);
  const send = (
    changes: object = {},
    files: { filename: string; content: Buffer }[] = [],
    settings = {},
    until = signal,
  ) =>
    new MailSender({ FETCH_URL: true, EGRESS_ALLOW_PRIVATE: true, ...settings }, secrets, nowhere).send(
      'a',
      mailSchema.parse({
        server,
        from: 'ann@example.org',
        to: ['bob@example.org'],
        subject: 'Łódź report',
        text: 'All is well.',
        ...changes,
      }),
      () => Promise.resolve(files),
      until,
    );
  const failure = (sent: Promise<unknown>) =>
    sent.then(
      () => 'sent',
      (error: ToolCallError) => [error.code, error.constructor.name, error.message],
    );

  it('tries the next address of a server that does not answer at the first', async () => {
    const port = server.split(':')[1]!;
    const both: Resolver = () =>
      Promise.resolve(['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 })));
    const before = received.length;
    const sender = new MailSender({ FETCH_URL: true, EGRESS_ALLOW_PRIVATE: true }, secrets, both);
    const mail = mailSchema.parse({
      server: `mail.example:${port}`,
      from: 'ann@example.org',
      to: ['bob@example.org'],
      subject: 'Report',
      text: 'All is well.',
    });
    const { accepted } = await sender.send('a', mail, () => Promise.resolve([]), signal);
    expect([accepted, received.length - before]).toEqual([['bob@example.org'], 1]);
  });

  it('sends a text with files, signed in with a secret', async () => {
    const file = { filename: 'totals.csv', content: Buffer.from('a,b\n1,2\n') };
    const answer = await send({ sign_in: { user: 'ann', password: '{{mail}}' }, cc: ['eve@example.org'] }, [
      file,
    ]);
    expect(answer).toEqual({
      messageId: expect.stringMatching(/^<.+@example\.org>$/),
      accepted: ['bob@example.org', 'eve@example.org'],
      rejected: [],
    });
    const { session, text: mail } = received.at(-1)!;
    expect(session.user).toBe('ann');
    expect(mail).toContain('filename=totals.csv');
    expect(mail).toContain(file.content.toString('base64'));
    expect(mail).toContain('All is well.');
    expect(mail).not.toContain(PASSWORD);
  });

  it('names refused recipients, and says why a mail was refused, without the password', async () => {
    const mixed = await send({ to: ['gone@example.org', 'bob@example.org'] });
    expect(mixed).toMatchObject({ accepted: ['bob@example.org'], rejected: ['gone@example.org'] });
    const all = await failure(send({ to: ['gone@example.org'] }));
    expect(all).toEqual(['mail_refused', 'ToolCallError', expect.stringContaining('no such box')]);
    const spam = await failure(send({ subject: 'Spam' }));
    expect(spam).toEqual(['mail_refused', 'ToolCallError', expect.stringContaining('spam')]);
    const signedIn = await failure(send({ sign_in: { user: 'ann', password: '{{wrong}}' } }));
    expect(signedIn).toEqual(['mail_refused', 'ToolCallError', expect.stringContaining('[removed]')]);
  });

  it('does not know the outcome without an answer to the text', async () => {
    const cut = new SMTPServer({
      hideSTARTTLS: true,
      authOptional: true,
      onData: (stream, session) => {
        stream.on('end', () => {
          const connections = (cut as unknown as { connections: Set<{ id: string; close(): void }> })
            .connections;
          for (const connection of connections) if (connection.id === session.id) connection.close();
        });
        stream.resume();
      },
    });
    cut.listen(0, '127.0.0.1');
    await once(cut.server, 'listening');
    const at = `127.0.0.1:${(cut.server.address() as AddressInfo).port}`;
    expect((await failure(send({ server: at })))[1]).toBe('BrokenOffCallError');
    await new Promise<void>((done) => cut.close(done));
    expect((await failure(send({ server: at })))[1]).toBe('ToolCallError');
  });

  it('connects only to public servers on the ports of SMTP, unless the operator allows others', async () => {
    const strict = { EGRESS_ALLOW_PRIVATE: false };
    const sent = received.length;
    expect((await failure(send({}, [], strict)))[0]).toBe('refused_address');
    expect((await failure(send({ server: '127.0.0.1:587' }, [], strict)))[0]).toBe('refused_address');
    expect((await failure(send({ server: 'mail.example:25' }, [], strict)))[0]).toBe('refused_address');
    expect((await failure(send({}, [], { FETCH_URL: false })))[0]).toBe('not_allowed');
    const elsewhere = { server: '127.0.0.1:9', sign_in: { user: 'ann', password: '{{mail}}' } };
    expect((await failure(send(elsewhere)))[0]).toBe('secret_not_allowed');
    expect(received.length).toBe(sent);
  });

  it('ends with its signal, also if the server never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const controller = new AbortController();
    const at = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const connected = once(silent, 'connection');
    const sent = failure(send({ server: at }, [], {}, controller.signal));
    const [socket] = (await connected) as [Socket];
    controller.abort(new ToolCallError('cancelled', 'cancelled'));
    expect((await sent)[0]).toBe('cancelled');
    socket.destroy();
    silent.close();
  });

  it('takes no line break in a header, no password written out, and no server without a port', () => {
    const mail = { server: 'a:587', from: 'a@b.co', to: ['c@d.co'], text: '' };
    for (const subject of ['a\r\nBcc: x@y.co', 'a\nb'])
      expect(mailSchema.safeParse({ ...mail, subject }).success).toBe(false);
    const password = 'written-out';
    for (const wrong of [{ sign_in: { user: 'a', password } }, { server: 'a.example' }])
      expect(mailSchema.safeParse({ ...mail, subject: 'a', ...wrong }).success).toBe(false);
    expect(mailSchema.safeParse({ ...mail, subject: 'a', to: ['c@d.co\nBcc: x@y.co'] }).success).toBe(false);
  });
});
