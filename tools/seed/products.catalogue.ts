/** A shelf of the store: its typical prices, and the words that its products are named with. */
export interface Category {
  readonly name: string;
  /** Whole units: the lowest price. */
  readonly from: number;
  /** Whole units: above the highest price. */
  readonly to: number;
  readonly kinds: readonly string[];
  readonly things: readonly string[];
  readonly variants: readonly string[];
}

const list = (text: string): string[] => text.split(', ');

/** Names of collections, made up. */
export const SERIES = list(
  'Norra, Vela, Tiber, Alma, Fjord, Luma, Sorrel, Kestrel, Havn, Juno, Marlow, Ostra, Pella, Quill, Rowan, Solis',
);

export const PURPOSES = list(
  'every day, small spaces, long evenings, beginners and experts, families, people on the move, a lifetime of use',
);

export const PROMISES = list(
  'Two-year warranty, Spare parts for ten years, Ships without plastic, Tested by our own staff, Finished by hand',
);

export const ORIGINS = list(
  'Portugal, Denmark, Italy, Japan, Poland, Germany, Sweden, Spain, Slovenia, Canada',
);

export const CATALOGUE: readonly Category[] = [
  {
    name: 'lighting',
    from: 15,
    to: 400,
    kinds: list('walnut, brass, linen, glass, oak, smoked glass, copper, ceramic, rattan, black steel'),
    things: list(
      'desk lamp, floor lamp, table lamp, pendant light, wall light, reading lamp, ceiling light, bedside lamp',
    ),
    variants: list('dimmable, small, large, with USB port, set of 2'),
  },
  {
    name: 'furniture',
    from: 60,
    to: 2400,
    kinds: list('oak, walnut, ash, birch, beech, velvet, leather, powder-coated steel, pine, linen'),
    things: list(
      'bookshelf, dining table, armchair, sideboard, coffee table, bench, chest of drawers, desk, stool, sofa',
    ),
    variants: list('narrow, wide, white, black, with storage'),
  },
  {
    name: 'kitchen',
    from: 5,
    to: 180,
    kinds: list('stainless steel, cast iron, carbon steel, bamboo, enamel, copper, beech, silicone, ceramic'),
    things: list(
      "frying pan, saucepan, chef's knife, cutting board, colander, peeler, grater, ladle, casserole, whisk",
    ),
    variants: list('20 cm, 24 cm, 28 cm, set of 3, with lid'),
  },
  {
    name: 'tableware',
    from: 4,
    to: 120,
    kinds: list('stoneware, porcelain, hand-blown, recycled glass, earthenware, bone china, matte, speckled'),
    things: list(
      'dinner plate, soup bowl, mug, carafe, wine glass, serving dish, espresso cup, salad bowl, tumbler',
    ),
    variants: list('set of 2, set of 4, set of 6, blue, sand'),
  },
  {
    name: 'appliances',
    from: 25,
    to: 900,
    kinds: list('compact, quiet, stainless steel, energy-saving, retro, cordless, smart, two-speed'),
    things: list(
      'kettle, toaster, hand blender, coffee grinder, espresso machine, vacuum cleaner, air purifier, microwave',
    ),
    variants: list('white, black, red, 230 V, with timer'),
  },
  {
    name: 'bedding',
    from: 12,
    to: 350,
    kinds: list('linen, cotton percale, organic cotton, flannel, goose down, bamboo, merino wool, satin'),
    things: list('duvet cover, pillowcase, fitted sheet, duvet, pillow, blanket, bedspread, mattress topper'),
    variants: list('single, double, king size, grey, set of 2'),
  },
  {
    name: 'bathroom',
    from: 4,
    to: 140,
    kinds: list('waffle, organic cotton, teak, stoneware, bamboo, brushed steel, recycled, quick-drying'),
    things: list(
      'bath towel, hand towel, bath mat, soap dish, shower curtain, toothbrush holder, laundry basket, robe',
    ),
    variants: list('white, sage, anthracite, large, set of 3'),
  },
  {
    name: 'garden',
    from: 3,
    to: 600,
    kinds: list('galvanised, cedar, terracotta, hand-forged, teak, zinc, weatherproof, foldable'),
    things: list(
      'plant pot, garden hose, pruning shears, raised bed, watering can, rake, deck chair, bird house, parasol',
    ),
    variants: list('small, medium, large, 25 m, with stand'),
  },
  {
    name: 'tools',
    from: 4,
    to: 450,
    kinds: list('cordless, insulated, hardened steel, compact, heavy-duty, magnetic, brushless, forged'),
    things: list(
      'screwdriver, hammer, drill, spirit level, jigsaw, pliers, socket set, tape measure, sander, workbench',
    ),
    variants: list('18 V, 5 m, set of 8, with case, without battery'),
  },
  {
    name: 'stationery',
    from: 1,
    to: 60,
    kinds: list('dotted, ruled, recycled, leather, brass, cotton paper, refillable, pocket'),
    things: list(
      'notebook, fountain pen, pencil case, planner, sketchbook, ballpoint pen, letter set, desk pad',
    ),
    variants: list('A4, A5, A6, black, pack of 3'),
  },
  {
    name: 'books',
    from: 6,
    to: 70,
    kinds: list("illustrated, pocket, annotated, complete, revised, beginner's, field"),
    things: list(
      'cookbook, atlas, garden guide, dictionary, travel guide, art history, bird guide, crime novel, anthology',
    ),
    variants: list('hardcover, paperback, 2nd edition, large print'),
  },
  {
    name: 'toys',
    from: 5,
    to: 150,
    kinds: list('wooden, organic, magnetic, hand-painted, musical, first, colourful, plush'),
    things: list(
      "building blocks, train set, stacking tower, doll's house, bear, puzzle, kite, shape sorter, marble run",
    ),
    variants: list('from 1 year, from 3 years, 24 pieces, 100 pieces'),
  },
  {
    name: 'musical instruments',
    from: 10,
    to: 1800,
    kinds: list('spruce, mahogany, maple, student, concert, electro-acoustic, left-handed, handmade'),
    things: list('guitar, ukulele, violin, cajon, kalimba, clarinet, drum, harmonica, mandolin'),
    variants: list('full size, 3/4 size, with bag, in C, natural finish'),
  },
  {
    name: 'audio',
    from: 20,
    to: 1500,
    kinds: list('wireless, noise-cancelling, open-back, portable, active, studio, waterproof, hi-fi'),
    things: list('headphones, loudspeaker, earphones, soundbar, turntable, microphone, amplifier, radio'),
    variants: list('black, white, with case, pair, 2nd generation'),
  },
  {
    name: 'computers',
    from: 10,
    to: 2900,
    kinds: list('mechanical, ergonomic, wireless, ultra-thin, curved, backlit, silent, rugged'),
    things: list(
      'keyboard, mouse, monitor, laptop, docking station, webcam, external drive, mini PC, laptop stand',
    ),
    variants: list('27 inch, 14 inch, 1 TB, USB-C, grey'),
  },
  {
    name: 'photography',
    from: 12,
    to: 3200,
    kinds: list('mirrorless, carbon, weather-sealed, compact, wide-angle, telephoto, instant, padded'),
    things: list('camera, tripod, lens, camera bag, flash, lens filter, film scanner, camera strap'),
    variants: list('35 mm, 50 mm, 85 mm, black, with case'),
  },
  {
    name: 'cycling',
    from: 6,
    to: 3500,
    kinds: list('aluminium, carbon, merino, waterproof, reflective, folding, gravel, urban'),
    things: list('bicycle, helmet, bike lock, saddle, pannier, bike light, jersey, floor pump, child seat'),
    variants: list('size S, size M, size L, front, rear'),
  },
  {
    name: 'outdoor',
    from: 8,
    to: 700,
    kinds: list('ultralight, insulated, waterproof, four-season, titanium, ripstop, inflatable, down'),
    things: list(
      'tent, sleeping bag, backpack, camping stove, headlamp, sleeping mat, water bottle, hammock, trekking poles',
    ),
    variants: list('1 person, 2 persons, 30 l, 1 l, olive'),
  },
  {
    name: 'fitness',
    from: 6,
    to: 800,
    kinds: list('adjustable, cork, cast-iron, non-slip, folding, weighted, magnetic, natural rubber'),
    things: list(
      'yoga mat, dumbbell, kettlebell, exercise bike, resistance band, foam roller, skipping rope, rowing machine',
    ),
    variants: list('8 kg, 12 kg, set of 2, long, graphite'),
  },
  {
    name: 'clothing',
    from: 10,
    to: 320,
    kinds: list('merino, organic cotton, linen, corduroy, waxed, quilted, brushed cotton, cashmere, denim'),
    things: list('sweater, shirt, jacket, trousers, scarf, cardigan, overshirt, dress, T-shirt, coat'),
    variants: list('navy, olive, black, relaxed fit, slim fit'),
  },
  {
    name: 'shoes',
    from: 25,
    to: 380,
    kinds: list('leather, suede, canvas, waterproof, vegan, wool, trail, waxed leather'),
    things: list('sneakers, boots, loafers, sandals, running shoes, slippers, hiking boots, Chelsea boots'),
    variants: list('wide, brown, black, white, lined'),
  },
  {
    name: 'bags and watches',
    from: 15,
    to: 950,
    kinds: list(
      'leather, waxed canvas, recycled nylon, titanium, stainless steel, wool felt, automatic, solar',
    ),
    things: list('backpack, tote bag, messenger bag, wallet, wrist watch, weekender, belt bag, watch strap'),
    variants: list('black, cognac, 38 mm, 42 mm, small'),
  },
  {
    name: 'pet supplies',
    from: 2,
    to: 160,
    kinds: list(
      'natural rubber, orthopaedic, rope, grain-free, reflective, sisal, washable, stainless steel',
    ),
    things: list(
      'dog bed, leash, scratching post, food bowl, chew toy, cat tunnel, dog food, harness, litter tray',
    ),
    variants: list('size S, size M, size L, 2 kg, grey'),
  },
  {
    name: 'groceries',
    from: 1,
    to: 45,
    kinds: list('organic, single-origin, stone-ground, cold-pressed, fair-trade, smoked, wild, unsalted'),
    things: list(
      'espresso beans, olive oil, black tea, honey, dark chocolate, sea salt, spelt flour, almonds, peppercorns',
    ),
    variants: list('100 g, 250 g, 500 g, 1 kg, pack of 6'),
  },
];
