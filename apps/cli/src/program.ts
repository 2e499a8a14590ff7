import { Command } from 'commander';
import { registerAnswer } from './commands/answer.js';
import { registerArticle } from './commands/article.js';
import { registerConvert } from './commands/convert.js';
import { registerDecisions } from './commands/decisions.js';
import { registerFollow } from './commands/follow.js';
import { registerKnowledge } from './commands/knowledge.js';
import { registerMigrate } from './commands/migrate.js';
import { registerStart } from './commands/start.js';
import { registerStatus } from './commands/status.js';
import { registerWrite } from './commands/write.js';

/** The commands of `scriptorium`. */
export function createProgram(): Command {
  const program = new Command('scriptorium')
    .description('Raw files in, faithful structured writing out.')
    .showHelpAfterError('("scriptorium --help" and "scriptorium COMMAND --help" explain the options)');
  registerWrite(program);
  registerFollow(program);
  registerStart(program);
  registerMigrate(program);
  registerStatus(program);
  registerDecisions(program);
  registerAnswer(program);
  registerConvert(program);
  registerKnowledge(program);
  registerArticle(program);
  return program;
}
