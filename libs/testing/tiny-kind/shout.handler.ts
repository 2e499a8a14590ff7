import { TaskHandler } from '#engine/queue/task-handler.js';

/** The task of the tiny kind: answers a word in capitals. */
@((TaskHandler as (task: string) => ClassDecorator)('tiny_shout'))
export class TinyShoutHandler {
  handle({ word }: { word: string }): Promise<{ word: string }> {
    return Promise.resolve({ word: word.toUpperCase() });
  }
}
