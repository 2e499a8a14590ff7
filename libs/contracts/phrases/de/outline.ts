/** German texts of `en/outline.ts`. */
export const outline = {
  'outline.added_after': '„{title}“ wurde nach Kapitel {number} eingefügt.',
  'outline.added_first': '„{title}“ wurde als erstes Kapitel eingefügt.',
  'outline.and': '{first} und {rest}',
  'outline.edited': 'Der Plan von Kapitel {number}, „{title}“, wurde geändert.',
  'outline.enough_chapters':
    'Das Buch soll {wanted} Kapitel haben, die Quellen reichen aber nur für {count}: {reason}',
  'outline.fewer_chapters':
    'Das Buch soll {wanted} Kapitel haben, aber die Abschnitte der Quellen reichen nur für {count}. Fügen Sie Quellen hinzu und erstellen Sie die Gliederung neu, oder fügen Sie selbst Kapitel hinzu.',
  'outline.follows_itself': 'Kapitel {number} steht schon an dieser Stelle.',
  'outline.merged': 'Die Kapitel {titles} wurden zusammengefasst.',
  'outline.moved_after': 'Kapitel {number}, „{title}“, wurde hinter Kapitel {after} verschoben.',
  'outline.moved_first': 'Kapitel {number}, „{title}“, wurde an den Anfang verschoben.',
  'outline.named_twice': 'Kapitel lassen sich nur zusammenfassen, wenn jedes einmal genannt ist.',
  'outline.no_chapter': 'Die Gliederung hat kein Kapitel {number}.',
  'outline.one_section':
    'Kapitel {number} lässt sich nicht teilen: Sein Plan hat weniger als zwei Abschnitte. Ergänzen Sie Abschnitte, oder fügen Sie ein Kapitel hinzu.',
  'outline.only_chapter': 'Das einzige Kapitel kann nicht entfernt werden.',
  'outline.quoted': '„{title}“',
  'outline.removed': 'Kapitel {number}, „{title}“, wurde entfernt.',
  'outline.renamed': 'Kapitel {number}, „{old}“, heißt jetzt „{title}“.',
  'outline.split': 'Kapitel {number} wurde in „{title}“ und „{other}“ geteilt.',
  'outline.with_reason': '{change} Grund: {reason}',
} as const;
