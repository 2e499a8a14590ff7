import { answerJsonSchema, decisionRequestSchema } from '#catalogue/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { type Phrase, phrase } from '#contracts/phrases/phrase.js';
import { loadStudioWords } from '#contracts/phrases/studio-words.js';
import { type Translate, translatorFor } from '#contracts/phrases/translator.js';
import type { Logger } from '#telemetry/logger.js';
import { escapeHtml } from '#verbatim/report/page-text.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countByAddress } from '../http/rate-limit.js';
import { answerOfForm, type JsonSchema } from '../decisions/decisions.controller.js';
import { sendHtmlPage } from '../http/html-page.js';
import { answerFrameworkError, problemOf } from '../http/problem.filter.js';
import { acceptedLanguage, attachment } from '../results/results.controller.js';
import { mediaTypeOf } from '../results/results.service.js';
import { answerForm } from './answer-form.js';
import { type LinksService, refuseLink } from './links.service.js';
import { parse } from 'node:path';

type SecretRequest = FastifyRequest<{ Params: { secret: string } }>;

/**
 * Serves the pages behind links, to anyone who has one. Requests are counted by address, those with a secret that does
 * not work also as failed logins. No error of these pages, log line or span contains the secret.
 */
export async function serveLinks(fastify: FastifyInstance, links: LinksService, log: Logger): Promise<void> {
  await fastify.register(async (scope) => {
    // Only here: elsewhere, a page of another site could send a form.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    );
    scope.addHook('preHandler', async (request, reply) => {
      void reply.header('x-robots-tag', 'noindex, nofollow');
      await countByAddress('links', fastify, request, reply);
    });
    scope.setErrorHandler<Error>(async (error, request, reply) => {
      const { code, status } = problemOf(error);
      if (status >= 500) log.error({ err: error, request_id: request.id }, 'request failed');
      // Every link that does not work gets the same answer, so that it reveals nothing.
      const shown =
        code === 'not_found'
          ? await countByAddress('failures', fastify, request, reply).then(refuseLink).catch(asError)
          : error;
      // The address of the page contains the secret.
      return answerFrameworkError(shown, { url: request.routeOptions.url ?? '' } as FastifyRequest, reply);
    });
    // Other methods and paths would be refused elsewhere, by an error that contains the address.
    for (const url of ['/share/*', '/answer/*']) scope.all(url, refuseLink);
    scope.get('/share/:secret', (request: SecretRequest, reply) => sendShare(links, request, reply));
    scope.get('/share/:secret/file', async ({ params }: SecretRequest, reply) => {
      const { file, bytes } = await links.sharedFile(params.secret);
      return reply.type(mediaTypeOf(file)).header('content-disposition', attachment(file.name)).send(bytes);
    });
    scope.get('/answer/:secret', (request: SecretRequest, reply) => sendQuestion(links, request, reply));
    scope.post('/answer/:secret', (request: SecretRequest, reply) => takeAnswer(links, request, reply));
  });
}

const asError = (error: Error) => error;

/** Loads the texts of the language that a browser prefers. */
async function textsFor({ headers }: FastifyRequest): Promise<{ language: string; translate: Translate }> {
  const language = acceptedLanguage(headers['accept-language']);
  return { language, translate: await translatorFor(language) };
}

async function sendShare(
  links: LinksService,
  request: SecretRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { link, title, html, file } = await links.shared(request.params.secret);
  const { language, translate } = await textsFor(request);
  const text = (asked: Phrase) => escapeHtml(translate(asked));
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(link.expiresAt);
  const name = title ?? (file ? parse(file.name).name : 'Scriptorium');
  const download = file
    ? `<p><a href="/share/${escapeHtml(request.params.secret)}/file">${escapeHtml(file.name)}</a></p>`
    : '';
  const tooLong =
    html === null && link.exportId === null ? `<p>${text(phrase('link_page.too_long'))}</p>` : '';
  const body = `<header><h1>${escapeHtml(name)}</h1><p>${text(phrase('link_page.until', { date: until }))}</p>${download}</header>${tooLong}${html ?? ''}`;
  await sendHtmlPage(reply, { language, title: name, body, isWide: true });
  return reply;
}

/** Shows the question; only the form answers it, so that a program that checks links does not. */
async function sendQuestion(
  links: LinksService,
  request: SecretRequest,
  reply: FastifyReply,
  problem?: ProblemError,
): Promise<FastifyReply> {
  const { decision, inputs } = await links.decision(request.params.secret);
  const { language, translate } = await textsFor(request);
  const asked = decisionRequestSchema.parse(decision.input);
  const texts = { translate, words: await loadStudioWords(language), inputs };
  const form = answerForm(asked, answerJsonSchema(asked), texts);
  const alert = problem
    ? `<p role="alert">${escapeHtml(problem.phrase ? translate(problem.phrase) : problem.detail)}</p>`
    : '';
  const title = translate(phrase('link_page.question'));
  await sendHtmlPage(reply, {
    language,
    title,
    body: alert + form,
    isWide: true,
    status: problem?.status ?? 200,
  });
  return reply;
}

async function takeAnswer(
  links: LinksService,
  request: SecretRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await links.decision(request.params.secret);
  const schema: JsonSchema = answerJsonSchema(decisionRequestSchema.parse(opened.decision.input));
  const typed = Object.entries((request.body ?? {}) as Record<string, string>);
  const given = typed.filter(([name, value]) => value !== '' || schema.required?.includes(name));
  try {
    await links.answer(opened, answerOfForm(given, schema));
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'invalid_answer')
      return sendQuestion(links, request, reply, error);
    throw error;
  }
  const { language, translate } = await textsFor(request);
  const title = translate(phrase('link_page.answered'));
  await sendHtmlPage(reply, { language, title, body: `<h1>${escapeHtml(title)}</h1>` });
  return reply;
}
