import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from '../i18n/i18n';
import type { PickedFile, Selection, SourceFile } from '../api/source-files';
import { sourceFiles } from '../api/documents';
import { ProblemAlert, Hint } from './frames';

const NOTHING: Selection<File> = { sources: [], leftOut: [], notCarried: [] };

/** Returns the chosen files, a mutation that adds some, and functions that replace or clear them. */
export function useSelection() {
  const [selection, setSelection] = useState(NOTHING);
  const adding = useMutation({
    mutationFn: async (dropped: (File & PickedFile)[]) => {
      const { addChecked, checkPicked } = await sourceFiles();
      return { addChecked, checked: await checkPicked<File>(dropped) };
    },
    // A file dialog may end without a file.
    onSuccess: ({ addChecked, checked }) =>
      checked.length > 0 && setSelection((known) => addChecked(known, checked)),
  });
  return {
    selection,
    isEmpty: selection === NOTHING,
    adding,
    change: async (sources: SourceFile<File>[]) => {
      const { withSources } = await sourceFiles();
      setSelection((known) => withSources(known, sources));
    },
    clear: () => setSelection(NOTHING),
  };
}

export type Chosen = ReturnType<typeof useSelection>;

/** Accepts files and folders, picked or dropped anywhere on the page. */
export function SourceDrop({ chosen }: { chosen: Chosen }) {
  const { t } = useTranslation();
  const isDragging = useDraggedFiles();
  const zone = useDropzone({ onDrop: (dropped) => chosen.adding.mutate(dropped) });
  return (
    <>
      <div
        {...zone.getRootProps({
          className: 'drop-zone',
          'data-active': zone.isDragActive,
          'data-whole-page': isDragging,
        })}
      >
        <input {...zone.getInputProps({ 'aria-label': t('newDocument.choose') })} />
        <Text>{t('newDocument.drop')}</Text>
        <Hint>{t('newDocument.kinds')}</Hint>
      </div>
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: 'center' }}
        onClick={() => chooseFolder(chosen.adding.mutate)}
      >
        {t('newDocument.chooseFolder')}
      </Button>
      {chosen.adding.error && <ProblemAlert error={chosen.adding.error} />}
    </>
  );
}

/** Lets a person choose a folder, which cannot be dropped on a telephone or by keyboard. */
function chooseFolder(onChosen: (files: (File & PickedFile)[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.webkitdirectory = true;
  input.hidden = true;
  input.onchange = () => {
    const files = [...(input.files ?? [])];
    onChosen(files.map((file) => Object.assign(file, { path: `/${file.webkitRelativePath}` })));
    input.remove();
  };
  input.oncancel = () => input.remove();
  document.body.append(input);
  input.click();
}

/** Returns whether files are dragged over the page; the drop zone then covers it. */
function useDraggedFiles(): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const enter = ({ dataTransfer }: DragEvent) =>
      setDragging(dataTransfer?.types.includes('Files') ?? false);
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setDragging(false);
    const end = () => setDragging(false);
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', end, true);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', end, true);
    };
  }, []);
  return isDragging;
}
