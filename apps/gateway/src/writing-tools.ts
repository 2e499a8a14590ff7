import { approvalRequiredSchema } from '#plan/contract/schemas.js';
import { decisionSchema } from '#catalogue/run-schemas.js';
import { runSchema } from '#contracts/api/schemas.js';
import { CONVERSION, documentKind } from '#document/contract.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { runErrorSchema } from '#contracts/runs.js';
import { searchRequestSchema, searchResultSchema } from '#knowledge/contract.js';
import { collectionsQuery, collectionSchema } from '#knowledge/contract/schemas.js';
import { pageOf } from '#contracts/api/paging.js';
import { decisionRequestSchema } from '#catalogue/decisions.js';
import { Injectable } from '@nestjs/common';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { DecisionsService } from '#gateway/decisions/decisions.service.js';
import { KnowledgeService } from '#knowledge/gateway/knowledge.service.js';
import { PlansService } from '#plan/gateway/plans.service.js';
import { AT_ONCE, RunsService } from '#gateway/runs/runs.service.js';
import { CallOnce, idempotencyKey, runIdOf, RunWait, waitSeconds } from '#gateway/mcp/run-calls.js';
import { defineMcpTool, type McpCall, type McpTool } from '#gateway/mcp/mcp-tool.js';
import { exportUri, ledgerUri, manuscriptUri } from '#gateway/mcp/resources.js';
import { Workplace, workplaceArguments } from '#gateway/mcp/workplace.js';

/** A run with its open questions. */
const runReport = z.object({
  run: runSchema,
  approval_required: approvalRequiredSchema
    .nullable()
    .describe(
      'open question of a plan; answer it with approval_response, continue_plan, replan or abort_plan',
    ),
  decisions: z.array(decisionSchema).describe('open decisions; answer them with answer_decision'),
  resources: z.array(z.string()).describe('URIs of the resources in the session of the run'),
});

/** Maximum number of open questions in a report. */
const MAX_DECISIONS = 50;

/** Tools that write, search, follow runs and answer their questions. */
@Injectable()
export class WritingTools {
  constructor(
    private readonly runs: RunsService,
    private readonly plans: PlansService,
    private readonly decisions: DecisionsService,
    private readonly knowledge: KnowledgeService,
    private readonly wait: RunWait,
    private readonly workplace: Workplace,
    private readonly once: CallOnce,
  ) {}

  all(): McpTool[] {
    return [
      this.getRun(),
      this.writeDocument(),
      this.convert(),
      this.listCollections(),
      this.searchKnowledge(),
      this.answerDecision(),
      this.convertMarkdown(),
    ];
  }

  private getRun() {
    return defineMcpTool({
      name: 'get_run',
      description: 'Read the state of a run or plan, its open decisions and its results.',
      endpoint: 'getRun',
      effect: 'reads',
      input: z.object({ run_id: z.string().min(1).max(100), wait_seconds: waitSeconds.default(0) }).strict(),
      output: runReport,
      run: ({ run_id: id, wait_seconds: seconds }, call) => this.report(call, id, seconds),
    });
  }

  private writeDocument() {
    return this.documentTool(
      'write_document',
      'Write a faithful document from raw files: a manuscript with a ledger that traces each source line, and a Word file. Takes minutes; poll get_run.',
      // Reviews, whose proposals an export can show, come back by other ways.
      documentKind.inputs.omit({ proposals: true }).strict().default({}),
    );
  }

  private convert() {
    const { language, word_template } = documentKind.inputs.shape;
    return this.documentTool(
      'convert',
      'Convert files to Markdown and Word by rules, without a model, with a ledger. Questions get their default answer.',
      z.object({ language, word_template }).strict().default({}),
      CONVERSION,
    );
  }

  private documentTool(
    name: string,
    description: string,
    inputs: z.ZodType<Record<string, unknown>>,
    fixed: object = {},
  ) {
    return defineMcpTool({
      name,
      description,
      endpoint: 'startRun',
      effect: 'changes',
      input: z
        .object({
          ...workplaceArguments,
          inputs,
          idempotency_key: idempotencyKey,
          wait_seconds: waitSeconds,
        })
        .strict(),
      output: runReport,
      run: async ({ wait_seconds: seconds, idempotency_key: key, ...asked }, call) => {
        const { inputs: given, ...place } = asked;
        const { caller } = call;
        const id = await this.once.run(caller.tenantId, key, { ...asked, ...fixed }, async (seed) => {
          const session_id = await this.workplace.prepare(caller, place, seed);
          const request = { session_id, kind: 'document', inputs: { ...given, ...fixed }, ...AT_ONCE };
          return (await this.runs.start(caller.tenantId, request, runIdOf(seed))).id;
        });
        return this.report(call, id, seconds, fixed === CONVERSION ? 'end' : 'question');
      },
    });
  }

  private listCollections() {
    return defineMcpTool({
      name: 'list_collections',
      description: 'List the collections of knowledge with their IDs, which search_knowledge needs.',
      endpoint: 'listCollections',
      effect: 'reads',
      input: collectionsQuery.strict(),
      output: pageOf(collectionSchema),
      run: (query, { caller }) => this.knowledge.listCollections(caller.tenantId, query),
    });
  }

  private searchKnowledge() {
    return defineMcpTool({
      name: 'search_knowledge',
      description:
        'Search collections of knowledge for passages that answer a query, each with its position in the source.',
      endpoint: 'searchKnowledge',
      effect: 'reads',
      input: searchRequestSchema,
      output: searchResultSchema,
      run: (query, { caller }) => this.knowledge.search(caller.tenantId, query),
    });
  }

  private answerDecision() {
    return defineMcpTool({
      name: 'answer_decision',
      description:
        'Propose an answer to an open decision of a run; it must match its `answer_schema` (see get_run). The person at the client confirms it, unless the decision is for the agent.',
      endpoint: 'answerDecision',
      effect: 'acts_outside',
      input: z
        .object({
          decision_id: z.string().min(1).max(100),
          answer: z.record(z.string(), z.unknown()),
        })
        .strict(),
      output: z.object({ decision: decisionSchema }),
      isIdempotent: true,
      run: async ({ decision_id: id, answer }, { caller, askPerson }) => {
        const decision = await this.decisions.requireAnswerable(caller, id);
        const isForAgent = decisionRequestSchema.parse(decision.input).decision_type === 'plan_agent';
        if (!isForAgent && decision.status === 'pending' && !askPerson(decision, answer).approved)
          throw new ProblemError('person_required', phrase('person_required.declined'));
        const given = { body: answer, uploads: new Map() };
        const answered = await this.decisions.answer(caller, decision, given);
        return { decision: await this.decisions.view(caller.tenantId, answered) };
      },
    });
  }

  private convertMarkdown() {
    return defineMcpTool({
      name: 'convert_markdown',
      description:
        'Convert Markdown to a Word document (docx), a PDF or an e-book (epub), read as a resource.',
      endpoint: 'startPlan',
      effect: 'changes',
      input: z
        .object({
          markdown: z.string().min(1).describe('Markdown text'),
          format: z.enum(['docx', 'pdf', 'epub']),
          title: workplaceArguments.title.describe('title of the document'),
          idempotency_key: idempotencyKey,
          wait_seconds: waitSeconds.default(120),
        })
        .strict(),
      output: z.object({
        workflow_id: z.string(),
        session_id: z.string(),
        status: z.string().describe('"completed" if the file exists; otherwise see get_run'),
        error: runErrorSchema.nullable(),
        file: z
          .object({ export_id: z.string(), name: z.string(), bytes: z.number().int(), uri: z.string() })
          .nullable(),
      }),
      run: async ({ wait_seconds: seconds, idempotency_key: key, ...asked }, call) => {
        const { markdown, format, title } = asked;
        const { caller } = call;
        const { tenantId } = caller;
        const id = await this.once.run(tenantId, key, asked, async (seed) => {
          const files = [{ name: SOURCE, text: markdown }];
          const session_id = await this.workplace.prepare(
            caller,
            { session_id: undefined, title, files },
            seed,
          );
          const plan = { session_id, dag: conversionOf(format, title), config: UNATTENDED, budget: {} };
          return (await this.plans.start(tenantId, plan, runIdOf(seed))).id;
        });
        await this.wait.settle(call, id, seconds);
        const { status, error, session_id } = await this.plans.read(tenantId, id);
        const file = status === 'completed' ? await this.converted(tenantId, session_id, id) : null;
        return { workflow_id: id, session_id, status, error, file };
      },
    });
  }

  private async converted(tenantId: string, sessionId: string, runId: string) {
    const made = convertedSchema.parse(
      JSON.parse(await text(await this.plans.result(tenantId, runId, 'convert'))),
    );
    return { ...made, uri: exportUri(sessionId, made.export_id) };
  }

  private async report(call: McpCall, runId: string, seconds: number, until?: 'end' | 'question') {
    const { tenantId } = call.caller;
    await this.wait.settle(call, runId, seconds, until);
    const run = await this.runs.read(tenantId, runId);
    const plan = run.kind === 'plan' ? await this.plans.read(tenantId, runId) : null;
    const selection = { status: 'open' as const, runId };
    const open = await this.decisions.page(tenantId, selection, { take: MAX_DECISIONS });
    const approvalRequired = plan?.approval_required ?? null;
    return {
      run,
      approval_required: approvalRequired,
      decisions: await this.decisions.views(
        tenantId,
        open.filter(({ id }) => id !== approvalRequired?.decision_id),
      ),
      resources: run.kind === 'document' ? [manuscriptUri(run.session_id), ledgerUri(run.session_id)] : [],
    };
  }
}

const SOURCE = 'document.md';
const convertedSchema = z.object({ export_id: z.string(), name: z.string(), bytes: z.number().int() });

/** Decision options without questions, because a conversion changes nothing. */
const UNATTENDED = {
  ail: { decision_points: 'off' as const, agent: 'client' as const, deadline_seconds: 60 },
  hil: { approval_required: 'never' as const, deadline_seconds: 300, on_timeout: 'abort' as const },
  on_task_error: 'end' as const,
};

/** Returns the tasks of a conversion. They read the text from a file, because it may exceed a task's arguments. */
function conversionOf(format: string, title: string | undefined) {
  const read = { id: 'read', tool: 'read_input', arguments: { name: SOURCE }, depends_on: [] };
  const markdown = { $from: 'read', path: '/text' };
  const given = { markdown, format, ...(title === undefined ? {} : { title }) };
  return { tasks: [read, { id: 'convert', tool: 'convert_markdown', arguments: given, depends_on: [] }] };
}
