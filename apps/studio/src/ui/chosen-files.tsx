import { FileOrder } from './file-order';
import { LeftOutFiles } from './left-out-files';
import type { Chosen } from './source-drop';

/** Lists the chosen and the skipped files. */
export function ChosenFiles({ chosen: { change, selection } }: { chosen: Chosen }) {
  return (
    <>
      <FileOrder sources={selection.sources} onChange={change} />
      <LeftOutFiles leftOut={selection.leftOut} notCarried={selection.notCarried} />
    </>
  );
}
