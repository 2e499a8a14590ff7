/**
 * Texts of a museum's newsletter, and drafts for it by several authors, written before the rules were tried on them. `⟦rule|words⟧`
 * marks what the editor would change; the rest is correct.
 */
export const museumCorpus = [
  `# The Ferry That Would Not Sink

When the *Ellen Marsh* went out of service on October 3, 1931, she had carried some 2,600,000 passengers across the sound. Most of them were commuters. A few were cows. The ferry company sold her to a lumber yard in Port Averill, where she spent the next two decades as a floating warehouse, and that might have been the end of the story.

## A Second Life

In the spring of 1954, a retired purser named Agnes Holloway wrote to the county historical society and offered to pay for a survey. The surveyors found the hull sound. “She is better built than the courthouse,” one of them told the *Averill Courier*. Within 18 months the Holloway Fund had raised $42,500, roughly 70 percent of it in gifts of less than ten dollars.

## What Visitors See Today

The engine room opens at 10 a.m. on weekdays. Guides from the Averill Maritime Museum lead groups of 12 through the boiler flat, and the lower deck still smells faintly of cedar—the lumber yard left that behind. The tour takes about 45 minutes.`,

  `# How to Read a Harbor Chart

A harbor chart is a conversation between people who never met. The soundings on the oldest sheet in our collection were taken on June 12, 1868, by a crew of five with a lead line. Their figures were copied, corrected, and copied again for almost a century.

## The Numbers

Depths are given in fathoms on the older sheets and in feet after 1920. One fathom is 6 feet, or about 1.8 meters. A reading of 3.5 in the channel off Gull Point therefore meant 21 feet of water at low tide—enough for a schooner, not enough for a collier.

## The Names

Names wander. Gull Point was Coulter’s Landing until 1889, and the shoal that the Holloway family called “the Saddle” appears on three sheets under three names. The Averill Maritime Museum keeps a card for each of them. There are 1,140 cards so far, and volunteers add 20 or 30 a month.`,

  `# The Clock in the Customs House

The clock above the customs house in Port Averill has been wrong in every decade of its existence. It was installed on April 30, 1902, and stopped for the first time on May 2. The movement came from a maker in Connecticut, the bell from a church that had burned, and the dial from a catalog.

## Keeping Time

For 60 years the clock was wound by Thomas Brandt, a harbor pilot, and then by his daughter. The weights have to be raised every eight days—a job of some 40 minutes for one person. “You get to know its moods,” Ruth Brandt said in an interview that the museum recorded in 1978. She reckoned that it lost 2.5 minutes a week in winter and gained as much in summer.

## The Repair

The latest repair cost $18,300, of which the Holloway Fund paid 60 percent. The bell now rings at noon and at 6 p.m. On most days it is right.`,

  `# Letters From the Light

Between 1911 and 1926 the keeper of the Gull Point light wrote 412 letters to his sister in Ohio. They arrived at the Averill Maritime Museum in a flour tin on February 8, 2019, tied with fishing line. The museum has now published the first 150 of them.

## An Ordinary Voice

Emil Brandt was no writer. He describes the weather, the price of oil, and the habits of gulls. But the letters add up. In the winter of 1918 his sentences grow shorter, and the reader understands—long before he says so—that the supply boat has not come.

## What the Letters Cost

Each letter carried a two-cent stamp. The edition was set by the county press in a run of 1,500 copies, at a cost of 3.2 cents a page, and it is sold at the front desk. Members receive a discount of 15 percent.`,
];

export const museumDrafts = [
  `# The Rope Walk

The rope walk behind the cannery was 1,100 feet long, and for most of the nineteenth century it was the largest building in the county. Men walked backward down its length with hemp around their waists. A good spinner covered 18 miles in a day. On ⟦date_format|7 August 1893⟧ the roof caught fire, and by the next morning there was nothing left but the ⟦repeated_word|the the⟧ stone footings.

## What Was Saved

A few tools were carried out by the night watchman. They came to the ⟦term_spelling|Averil⟧ Maritime Museum in 1962, in a crate marked ⟦quotation_marks|"odds and ends"⟧. Among them is a top—a grooved cone that kept three strands apart—which is the only one of its kind on this coast.`,

  `# A Diver’s Notebook

Walter Price kept a notebook on every dive he made for the county between 1938 and 1957. The entries are short. They give the depth, the visibility, and what he had for lunch.

⟦heading_level|#### Under the Pier⟧

The longest entry covers the inspection of the customs pier, which took ⟦thousands|1400⟧ hours over two summers. Price found that 35 ⟦percent|%⟧ of the piles had been eaten by shipworm. ⟦person|I cannot imagine working for that long in water that cold.⟧ The county replaced the lot, and ⟦term_spelling|Holoway⟧ money paid for part of it.

## His Last Dive

He went down for the last time on ⟦date_format|1957-11-19⟧, at a depth of 42 feet, and noted that the soup had been good.`,

  `# ⟦heading_case|What the tide tables left out⟧

Tide tables are printed a year ahead. They know about the moon but not about the wind. In the winter of 1936 a southerly gale held the water in the sound for nine hours, and the tables were wrong by ⟦decimal_mark|4,5⟧ feet.

## The Men Who Knew

Pilots carried a second table in their heads. Thomas Brandt was said to be able to tell the height of the tide from the smell of the mud ⟦dash|-⟧ a claim his daughter never quite denied. ⟦overlong_sentence|When the weather bureau sent a young man from Boston to install an automatic gauge in the basement of the customs house in the autumn of 1937, the pilots gave him coffee, showed him where the stairs flooded, waited politely until he had gone home on the evening train, and then went on doing exactly what they and their fathers had always done before anyone had thought of asking a machine.⟧ The gauge is in our collection.`,

  `# The Last Winter of the Icehouse

Before the electric plant was built, Port Averill cut its ice from Miller Pond. A crew of 30 could fill the house in ten days. The blocks were packed in sawdust and lasted until September⟦exclamation|!⟧ The trade came to an end in ⟦repeated_word|in in⟧ 1927.

## A Cold Business

The ledger shows that the company sold ⟦thousands|3 200⟧ tons in its best year, at a profit of 12 percent. ⟦quotation_marks|"Nobody got rich,"⟧ wrote its bookkeeper, and the figures bear her out. The office opened at ⟦time_format|06:00⟧ so that the fishing fleet could be served first.

## The Ruin

The walls stood until ⟦date_format|the 3rd of March 1961⟧. A plaque from the ⟦term_spelling|Holloway fund⟧ marks the spot.`,

  `# Who Painted the Figurehead?

The figurehead of the *Constance Reed* has blue eyes, a chipped nose, and eleven coats of paint. A conservator spent the summer taking samples with a scalpel. Under the blue there was brown, and under the brown there was gold leaf⟦ellipsis|...⟧

## The Evidence

The paint layers tell a story of thrift. Each captain covered the work of the last, and nobody removed anything. The oldest layer dates from about 1850. It contains lead white and a pigment that was sold under the name of ⟦quotation_marks|'mountain green'⟧ until it turned out to be poisonous.

The report runs to 64 pages. It was presented to members of the museum on ⟦date_format|05/22/2023⟧ and ⟦repeated_word|and and⟧ will be posted online.`,

  `# A Net Maker’s Hands

Rosa Lindqvist made nets for 51 years. She learned from her mother, who had learned in Bergen, and she could tie a sheet bend without looking. ⟦person|I visited her in the home on Spruce Street last fall.⟧ Her hands, she said, still knew the work.

## The Knots

A herring net of the old kind had some 90,000 knots. At 20 knots a minute, that is 75 hours of tying—without a break. The cotton came from a mill in New Bedford, and the tar from a barrel behind the house.

## The Machine

The machine came in 1958. It could tie ⟦thousands|60000⟧ knots in a morning. ⟦quotation_marks|«It did not complain»⟧, Lindqvist remembered, ⟦quotation_marks|"and it did not sing."⟧ The last net she made hangs in the ⟦term_spelling|Avrill⟧ Maritime Museum, above the stairs.`,

  `# The Price of a Lighthouse

Congress voted $15,000 for a light on Gull Point in 1871. The builder, a man from Salem, spent it in seven months. He had poured the foundation, and he had ordered a lens from Paris; the rest, he explained, would have to wait.

## The Missing Money

An inspector came on ⟦date_format|9/14/1872⟧ and counted the barrels of cement. There were ⟦decimal_mark|2,5⟧ times as many on paper as on the beach. ⟦repeated_word|He he⟧ wrote a report of three pages that is still a pleasure to read.

## What Came Of It

The builder was dismissed, the keeper of the stores was promoted, and the tower went up at last under Captain Elias Wray, who finished it for $400 less than was left. The light was lit at ⟦time_format|6:30 PM⟧ on the first day of the new year. It could be seen for 14 miles.`,

  `# School on the Water

From 1922 until 1940 the children of the outer islands went to school by boat. The *Primrose* left Tern Island at 6 a.m. and collected some 25 pupils from five landings. Lessons began as soon as the last of them had sat down.

## The Teacher

Miss Olive Carrow taught all grades. She kept a slate for the current lesson and a bucket for the seasick. The county superintendent, who sailed with her once, ⟦contractions|didn't⟧ come again. Attendance stood at 96 percent, the highest in the state ⟦dash|–⟧ higher than in any school on land.

### The Curriculum

Arithmetic was taught from the tide table and geography from the chart. On ⟦date_format|17 May, 1935⟧ the whole school saw a whale. The log notes that ⟦quotation_marks|"spelling was postponed"⟧.`,

  `# Notes on a Broken Barometer

⟦opening|In today’s world⟧ of forecasts on every phone, it is hard to imagine how much a fishing town once trusted a tube of mercury. The barometer in the harbor office was made in Liverpool in 1859. It predicted the great gale of 1888 by a full day.

## The Break

A boy with a baseball ended its career on ⟦date_format|July 4th, 1911⟧. The glass was replaced, the mercury was not, and the dial has read ⟦quotation_marks|"Fair"⟧ ever since. The boy became a judge.

## On View

The instrument hangs beside the ticket desk of the ⟦term_spelling|Averill Maritme Museum⟧. Visitors tap it. About 1 in 3 of them, the guards report, look pleased with the result.

⟦closing|In conclusion⟧, not every instrument has to work to be useful.`,

  `# The Sardine Years

Port Averill packed its first sardines in 1903 and its last in 1952. In between lay ⟦repeated_word|a a⟧ boom that built the school, the hospital, and the hotel on Front Street. The cannery employed 640 people, most of them women.

## The Whistle

When the boats came in, whatever the hour, the whistle blew. It could be heard in Gull Point, 4 miles away. “You put your coat on over your nightgown,” one packer recalled, “and you ran.” The pay was ⟦decimal_mark|17,5⟧ cents an hour in 1929, and 30 percent less two years later.

## The Silence

Nobody knows where the fish went. The catch fell from ⟦thousands|41.000⟧ tons to almost nothing within four seasons. ⟦term_spelling|Gull point⟧ lost half its families. The whistle was sold to a brewery in Ohio⟦double_space|  ⟧and the building became a garage.`,
];
