import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { BudgetExceededError, ModelFailure, type ModelPort } from './ports.js';
import { passagesBlock } from './passages.js';
import { ask, readJson, readProse, readSections, type Operation } from './structured.js';

interface Said {
  text: string;
  finish_reason?: string;
}

const cut = (text: string): Said => ({ text, finish_reason: 'length' });
const prose: Operation<string> = {
  name: 'draft_chapter',
  tier: 'main',
  system: 'You write.',
  prompt: 'Write.',
  read: readProse,
};
const list: Operation<string[]> = { ...prose, read: (answer) => readJson(z.array(z.string()), answer) };

/** Performs an operation with a model that gives these answers; an error is thrown. */
async function askFor<T>(operation: Operation<T>, ...answers: (Said | Error)[]) {
  const calls: { messages: BaseMessage[]; effectKey: string }[] = [];
  const model: ModelPort = {
    setBudget: () => Promise.resolve(),
    call: (request) => {
      calls.push({ ...request, messages: [...request.messages] });
      const answer = answers.shift() ?? { text: '' };
      if (answer instanceof Error) return Promise.reject(answer);
      const { text, finish_reason = 'stop' } = answer;
      return Promise.resolve(new AIMessage({ content: text, response_metadata: { finish_reason } }));
    },
  };
  const answer = await ask(model, operation, 'step', undefined).catch((error: unknown) => error);
  return { answer, calls, lastAsked: calls.at(-1)!.messages.at(-1)!.text };
}

describe('an answer that was truncated at the length limit', () => {
  it('is continued once, from its last complete paragraph', async () => {
    const { answer, calls, lastAsked } = await askFor(
      prose,
      cut('## One\n\nThe lamp burns.\n\nThe keeper sl'),
      { text: 'The keeper sleeps.\n' },
    );
    expect(answer).toBe('## One\n\nThe lamp burns.\n\nThe keeper sleeps.\n');
    expect(calls.map(({ effectKey }) => effectKey)).toEqual([
      'step/draft_chapter',
      'step/draft_chapter/rest',
    ]);
    expect(lastAsked).toContain('it ends with: "The lamp burns."');
  });

  it('drops a repeated paragraph and the introduction of the continuation', async () => {
    const { answer } = await askFor(prose, cut('## One\n\nThe lamp burns.\n\nThe k'), {
      text: 'Sure! Here is the rest:\n\nThe lamp burns.\n\nThe keeper sleeps.',
    });
    expect(answer).toBe('## One\n\nThe lamp burns.\n\nThe keeper sleeps.\n');
  });

  it('fails the run if the continuation is truncated as well', async () => {
    const { answer } = await askFor(prose, cut('## One\n\nThe la'), cut('The lamp burns.\n\nThe k'));
    expect(answer).toBeInstanceOf(ModelFailure);
    expect(answer).toMatchObject({ code: 'model_answer_cut' });
  });

  it.each<[string, Operation<unknown>, string]>([
    ['JSON', list, '["one"]'],
    ['a text without a complete paragraph', prose, 'The lamp'],
    ['only thoughts', prose, ''],
  ])('is requested again in a shorter form if it is %s', async (_, operation, text) => {
    const { answer, calls, lastAsked } = await askFor(operation, cut(text), { text: '["two"]' });
    expect(lastAsked).toContain('cut off at the length limit');
    expect(calls).toHaveLength(2);
    expect(answer).toEqual(operation.read('["two"]'));
    expect((await askFor(operation, cut(text), cut(text))).answer).toMatchObject({
      code: 'model_answer_cut',
    });
  });
});

describe('a prompt that is longer than the model accepts', () => {
  const tooLong = new ModelFailure('model_prompt_too_long', 'The prompt is too long for the model.');
  const passage = (n: number) => ({ label: `s${n}`, source_title: 'Log', text: `Passage ${n}.\n\nIts end.` });
  const prompt = `Topic\n\n${passagesBlock([1, 2, 3, 4].map(passage))}\n\nWrite.`;

  it('is sent again with half of its passages, as often as needed', async () => {
    const operation = { ...prose, prompt };
    const { answer, calls } = await askFor(operation, tooLong, tooLong, { text: 'The tower.' });
    expect(answer).toBe('The tower.\n');
    const sent = calls.map(({ messages }) => messages[1]!.text.match(/Passage \d/g));
    expect(sent.map((passages) => passages?.length)).toEqual([4, 2, 1]);
    expect(calls.at(-1)!.messages[1]!.text).toMatch(
      /^Topic\n\n<passages>[^]*Its end.\n<\/passage>\n<\/passages>\n\nWrite.$/,
    );
    expect(new Set(calls.map(({ effectKey }) => effectKey)).size).toBe(3);
  });

  it('fails if it has no more passages to omit', async () => {
    const answers = [tooLong, tooLong, tooLong];
    expect((await askFor({ ...prose, prompt }, ...answers)).answer).toBe(tooLong);
    expect((await askFor(prose, tooLong)).calls).toHaveLength(1);
  });
});

describe('a failing model', () => {
  it.each(['model_quota_exceeded', 'model_unavailable', 'model_rejected'])(
    'X13 fails the run with %s, without falling back to rules',
    async (code) => {
      const failure = new ModelFailure(code, 'The reason.');
      expect((await askFor(prose, failure)).answer).toBe(failure);
    },
  );

  it('X13 fails with model_answer_unusable and the reason after two unusable answers', async () => {
    const { answer, calls } = await askFor(list, { text: 'no list' }, { text: '["one"' });
    expect(calls).toHaveLength(2);
    expect(answer).toMatchObject({ code: 'model_answer_unusable' });
    expect((answer as Error).message).toBe(
      'The model\'s answers to "draft of the chapter" could not be used, twice: its JSON is not complete or not valid.',
    );
  });

  it('X7 propagates a budget shortfall', async () => {
    const short = new BudgetExceededError({
      scope: 'run',
      unit: 'tokens',
      spent: 1,
      reserved: 0,
      needed: 2,
      limit: 2,
    });
    expect((await askFor(prose, short)).answer).toBe(short);
  });
});

describe('chatter around the text of a model', () => {
  const text = '## Tides\n\nThe sea is wide.';

  it.each([
    `Sure! Here is the chapter:\n\n${text}`,
    `Here's the revised chapter:\n${text}`,
    `Oczywiście! Oto rozdział:\n\n${text}`,
    `Voici le chapitre demandé :\n\n${text}`,
    `以下是这一章：\n\n${text}`,
    `Sure!\n\n\`\`\`markdown\n${text}\n\`\`\``,
    `Gern!\n\n\`\`\`md\n${text}\n\`\`\`\n\nSoll ich etwas ändern?`,
    `\`\`\`markdown\nHere is the chapter:\n\n${text}\n\`\`\``,
  ])('is removed: %j', (answer) => expect(readProse(answer)).toBe(`${text}\n`));

  it.each([
    `Certainly! Below is the chapter you asked for.\n\n${text}`,
    `Natürlich, gern.\n\n${text}`,
    `Jasne!\n\n\`\`\`markdown\n${text}\n\`\`\``,
  ])('is removed from a text that begins with a heading: %j', (answer) => {
    expect(readSections(answer)).toBe(`${text}\n`);
  });

  it.each([`The sea is wide.[^s1]\n\n${text}\n`, `# Tides\n\n${text}\n`])(
    'is not removed from the sections %j',
    (answer) => expect(readSections(answer)).toBe(answer),
  );

  it.each([
    'Here is the sea.\n\nIt is wide.\n',
    'Certainly, the sea is wide, and here is why.\n\nIt is deep.\n',
    'Great ships came: they brought salt.\n\nLet me know the sea, said Ada, and sailed.\n\nShe did.\n',
    'Poniżej leży morze.\n\nJest szerokie.\n',
    'Who lit it?\n\n---\n\nShe never said.\n',
    'He wrote:\n\n> The sea is wide.\n',
    'Run it:\n\n```\nls\n```\n\nThat lists the files.\n',
  ])('is not removed from %j', (answer) => expect(readProse(answer)).toBe(answer));
});
