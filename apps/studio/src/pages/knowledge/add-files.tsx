import { useTranslation } from '../../i18n/i18n';
import { addFiles, PRIORITIES } from '../../api/knowledge';
import { AddFilesAs } from '../../ui/add-files-as';

interface AddFilesProps {
  label: string;
  /** Returns the id of the collection that receives the files; called when there are some. */
  collection: () => string | Promise<string>;
}

/** Adds files to a collection, with a weight (B15). */
export function AddFiles({ label, collection }: AddFilesProps) {
  const { t } = useTranslation();
  return (
    <AddFilesAs
      label={label}
      choiceLabel={t('knowledge.priority')}
      choices={PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) }))}
      initial="supporting"
      onAdd={async (files, priority) => addFiles(await collection(), files, priority)}
    />
  );
}
