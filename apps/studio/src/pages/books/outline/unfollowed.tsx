import { Text } from '@mantine/core';
import type { Run } from '../../../api/runs';
import { usePhrases } from '../../../ui/run-words';
import { bookProgress } from '../progress';

/** Says what of the author's concept or feedback a run that made or changed the outline does not follow. */
export function Unfollowed({ run }: { run: Run }) {
  const render = usePhrases();
  const made = bookProgress(run).outline_changes;
  return made?.unclear.map((text, i) => (
    <Text key={text} size="sm" role="status">
      {render(made.unclear_phrases?.[i], text)}
    </Text>
  ));
}
