import { TaskHandler } from '#engine/queue/task-handler.js';

/** Handler of the tiny kind's task: returns a word in capitals. */
@((TaskHandler as (task: string) => ClassDecorator)('tiny_shout'))
export class TinyShoutHandler {
  handle({ word }: { word: string }): Promise<{ word: string }> {
    return Promise.resolve({ word: word.toUpperCase() });
  }
}
