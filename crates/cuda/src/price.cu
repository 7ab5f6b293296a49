// The cheapest guess of a pool for each of many sets of codes: rows with black and white pegs.
//
// Compiled once for each number of cells (-DCELLS=4), see scripts/compile-device-kernels.
//
// Guesses of the same colors in another order get the same number of black and white pegs together from a code. So the pool
// comes in units of at most 1024 guesses of the same colors, one unit a warp: a thread has 32 guesses, a bit of a word each.
// The codes of a set are sorted by what they have in common with the colors of the unit; among those that have as many in
// common, only black pegs tell guesses apart. Full adders sum the masks "has this color in this cell" that a code names, and
// count how often each number of black pegs comes up, in binary, a digit a word. How many codes have no black peg is what is
// left.
//
// What the codes have in common with the colors alone also says what the guesses of a unit cost at least; most units of small
// sets end there.

#ifndef CELLS
#error "CELLS: 3 to 7"
#endif

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

// Warps of a block; each works by itself.
#define WARPS 4
#define ALL_LANES 0xffffffffu
// Codes whose counts fit a byte, and the digits that takes.
#define FEW 255
#define FEW_DIGITS 8
// Codes of a large set that are counted in registers at a time, and the digits that takes.
#define CHUNK 512
#define CHUNK_DIGITS 10
// Digits of the counters in memory.
#define DIGITS 32
// Masks of a unit: for each cell those of at most so many colors as there are cells, and one that is empty.
#define MASKS (CELLS * CELLS + 1)
// The place of colors that a unit does not have.
#define ABSENT 7
// Colors of a board, at most.
#define COLORS 256
// What a list of codes may grow by when each total's begin at a multiple of eight.
#define PADDING (8 * (CELLS + 1))

// Guesses of the same colors.
struct Unit {
    u64 colors;   // a byte each, the first `kinds`
    u32 counts;   // how often each of them is shown, four bits each
    u32 kinds;    // how many colors
    u32 masks;    // the first of its masks, each 32 words
    u32 ranks;    // where the rows of its guesses begin
    u32 guesses;  // how many
    u32 lowest;   // the lowest row
};

// One set of codes.
struct Job {
    u32 first;  // of its codes
    u32 codes;  // how many
    u64 least;  // no guess costs less
};

// The best guess found for a set: the lowest cost, and of those the lowest row. It begins with the cost that must be beaten.
struct Found {
    volatile u64 cost;
    volatile u32 row;
    u32 lock;
};

// What a warp works with.
template <int CODES>
struct Space {
    u32 masks[MASKS][32];
    u64 listed[CODES + PADDING];
    u64 sorted[CODES + PADDING];
    u8 place[COLORS];
};

static __device__ __forceinline__ u32 sum3(u32 a, u32 b, u32 c) { return a ^ b ^ c; }
static __device__ __forceinline__ u32 carry3(u32 a, u32 b, u32 c) { return (a & b) | (c & (a ^ b)); }

template <bool LARGEST>
static __device__ __forceinline__ u64 with_part(u64 cost, u64 weight) {
    return LARGEST ? (weight > cost ? weight : cost) : cost + weight;
}

// Ways to answer that leave so many pegs in common.
static __device__ __forceinline__ u32 answers(u32 total) { return total == CELLS ? CELLS : total + 1; }

// Takes over a unit.
template <int CODES>
static __device__ void prepare(Space<CODES> &space, const Unit &unit, const u32 *__restrict__ masks, u32 colors, u32 lane) {
    u32 rows = CELLS * unit.kinds;
    for (u32 row = 0; row < rows; row++) space.masks[row][lane] = masks[((u64)unit.masks + row) * 32 + lane];
    space.masks[rows][lane] = 0;
    for (u32 color = lane; color < colors; color += 32) space.place[color] = ABSENT;
    __syncwarp();
    if (lane < unit.kinds) space.place[(unit.colors >> (8 * lane)) & 255] = lane;
    __syncwarp();
}

// The masks that a code names, a byte each, and in the last byte how many pegs it has in common with the colors of the unit.
template <int CODES>
static __device__ __forceinline__ u64 plan_of(const Space<CODES> &space, const Unit &unit, u64 code) {
    u32 left = unit.counts, total = 0;
    u64 plan = 0;
#pragma unroll
    for (int cell = 0; cell < CELLS; cell++) {
        u32 place = space.place[(code >> (8 * cell)) & 255];
        u32 row = place == ABSENT ? CELLS * unit.kinds : cell * unit.kinds + place;
        plan |= (u64)row << (8 * cell);
        if ((left >> (4 * place)) & 15) {
            total++;
            left -= 1u << (4 * place);
        }
    }
    return plan | (u64)total << 56;
}

// Lists the plans of some codes, and how many have each total.
template <int CODES>
static __device__ __forceinline__ void list(Space<CODES> &space, const Unit &unit, const u64 *__restrict__ codes, u32 count,
                                            u32 lane, u32 totals[CELLS + 1]) {
#pragma unroll
    for (int total = 0; total <= CELLS; total++) totals[total] = 0;
    for (u32 first = 0; first < count; first += 32) {
        u32 total = 8;
        if (first + lane < count) {
            u64 plan = plan_of(space, unit, codes[first + lane]);
            space.listed[first + lane] = plan;
            total = plan >> 56;
        }
#pragma unroll
        for (int wanted = 0; wanted <= CELLS; wanted++) totals[wanted] += __popc(__ballot_sync(ALL_LANES, total == wanted));
    }
    __syncwarp();
}

// How many codes have each total.
template <int CODES>
static __device__ __forceinline__ void count_totals(const Space<CODES> &space, const Unit &unit,
                                                    const u64 *__restrict__ codes, u32 count, u32 lane,
                                                    u32 totals[CELLS + 1]) {
#pragma unroll
    for (int total = 0; total <= CELLS; total++) totals[total] = 0;
    for (u32 first = 0; first < count; first += 32) {
        u32 total = first + lane < count ? plan_of(space, unit, codes[first + lane]) >> 56 : 8;
#pragma unroll
        for (int wanted = 0; wanted <= CELLS; wanted++) totals[wanted] += __popc(__ballot_sync(ALL_LANES, total == wanted));
    }
}

// Sorts listed plans by total. Those of each begin at a multiple of `align`; what fills the gaps names the empty mask alone.
template <int CODES>
static __device__ __forceinline__ void sort(Space<CODES> &space, const Unit &unit, u32 count, u32 align, u32 lane,
                                            const u32 totals[CELLS + 1], u32 begins[CELLS + 1]) {
    u32 end = 0;
#pragma unroll
    for (int total = 0; total <= CELLS; total++) {
        begins[total] = end;
        end += (totals[total] + align - 1) / align * align;
    }
    u64 nothing = 0x0001010101010101ull * (CELLS * unit.kinds);
    for (u32 at = lane; at < end; at += 32) space.sorted[at] = nothing;
    __syncwarp();
    u32 next[CELLS + 1];
#pragma unroll
    for (int total = 0; total <= CELLS; total++) next[total] = begins[total];
    for (u32 first = 0; first < count; first += 32) {
        u64 plan = first + lane < count ? space.listed[first + lane] : (u64)8 << 56;
        u32 total = plan >> 56, place = 0;
#pragma unroll
        for (int wanted = 0; wanted <= CELLS; wanted++) {
            u32 those = __ballot_sync(ALL_LANES, total == wanted);
            if (total == wanted) place = next[wanted] + __popc(those & ((1u << lane) - 1));
            next[wanted] += __popc(those);
        }
        if (total <= CELLS) space.sorted[place] = plan;
    }
    __syncwarp();
}

// The least that a guess costs when so many codes have each total in common with its colors: parts as large as each other.
template <bool LARGEST>
static __device__ __forceinline__ u64 at_least(const u32 totals[CELLS + 1], const u64 *__restrict__ weights, u32 lane) {
    u32 codes = 0;
#pragma unroll
    for (int total = 0; total <= CELLS; total++) codes = lane == total ? totals[total] : codes;
    u32 parts = answers(lane <= CELLS ? lane : 0);
    u32 size = codes / parts, larger = codes % parts;
    u64 cost = 0;
    if (codes != 0) {
        u64 small = __ldg(weights + size), large = larger ? __ldg(weights + size + 1) : 0;
        cost = LARGEST ? (larger ? large : small) : small * (parts - larger) + large * larger;
    }
#pragma unroll
    for (int step = 4; step > 0; step /= 2) {
        u64 other = __shfl_xor_sync(ALL_LANES, cost, step);
        cost = with_part<LARGEST>(cost, other);
    }
    return __shfl_sync(ALL_LANES, cost, 0);
}

// How many black pegs a code gets from each guess of this thread, in binary.
static __device__ __forceinline__ void black_pegs(const u32 *masks, u64 plan, u32 bits[3]) {
    u32 low_plan = (u32)plan, high_plan = (u32)(plan >> 32);
    u32 mask[8];
#pragma unroll
    for (int cell = 0; cell < 8; cell++) {
        u32 row = __byte_perm(cell < 4 ? low_plan : high_plan, 0, 0x4440 + cell % 4);
        mask[cell] = cell < CELLS ? masks[row * 32] : 0;
    }
    u32 c1 = carry3(mask[0], mask[1], mask[2]);
    u32 low = sum3(mask[0], mask[1], mask[2]);
    u32 c2 = carry3(low, mask[3], mask[4]);
    low = sum3(low, mask[3], mask[4]);
    u32 c3 = carry3(low, mask[5], mask[6]);
    bits[0] = sum3(low, mask[5], mask[6]);
    bits[1] = sum3(c1, c2, c3);
    bits[2] = carry3(c1, c2, c3);
}

// The guesses for which three bits are the digits of a number.
static __device__ __forceinline__ u32 equals(const u32 bits[3], int number) {
    u32 low = number & 1 ? bits[0] : ~bits[0];
    u32 middle = number & 2 ? bits[1] : ~bits[1];
    u32 high = number & 4 ? bits[2] : ~bits[2];
    return low & middle & high;
}

// Adds up how many of four codes get each number of black pegs but none; what is carried to the third digit is given back.
template <int TOTAL, int D>
static __device__ __forceinline__ void add_four(const u32 *masks, const u64 *plans, u32 count[CELLS][D], u32 fours[CELLS]) {
    u32 black[4][3];
#pragma unroll
    for (int code = 0; code < 4; code++) black_pegs(masks, plans[code], black[code]);
#pragma unroll
    for (int pegs = 1; pegs <= TOTAL; pegs++) {
        if (TOTAL == CELLS && pegs == CELLS - 1) continue;
        u32 m0 = equals(black[0], pegs), m1 = equals(black[1], pegs);
        u32 m2 = equals(black[2], pegs), m3 = equals(black[3], pegs);
        u32 *digit = count[pegs - 1];
        u32 a = carry3(digit[0], m0, m1);
        digit[0] = sum3(digit[0], m0, m1);
        u32 b = carry3(digit[0], m2, m3);
        digit[0] = sum3(digit[0], m2, m3);
        fours[pegs - 1] = carry3(digit[1], a, b);
        digit[1] = sum3(digit[1], a, b);
    }
}

// Counts how many of the codes of a total get each number of black pegs but none, eight codes at a time or four.
template <int TOTAL, int D, bool EIGHT>
static __device__ __forceinline__ void count_black(const u32 *masks, const u64 *plans, u32 codes, u32 *out) {
    u32 count[CELLS][D];
#pragma unroll
    for (int pegs = 0; pegs < TOTAL; pegs++)
#pragma unroll
        for (int digit = 0; digit < D; digit++) count[pegs][digit] = 0;
#pragma unroll 1
    for (u32 code = 0; code < codes; code += EIGHT ? 8 : 4) {
        u32 fours[CELLS], others[CELLS];
        add_four<TOTAL, D>(masks, plans + code, count, fours);
        if (EIGHT) add_four<TOTAL, D>(masks, plans + code + 4, count, others);
#pragma unroll
        for (int pegs = 0; pegs < TOTAL; pegs++) {
            if (TOTAL == CELLS && pegs == CELLS - 2) continue;
            u32 carry = fours[pegs];
            if (EIGHT) {
                u32 before = count[pegs][2];
                count[pegs][2] = sum3(before, carry, others[pegs]);
                carry = carry3(before, carry, others[pegs]);
            }
#pragma unroll
            for (int digit = EIGHT ? 3 : 2; digit < D; digit++) {
                u32 before = count[pegs][digit];
                count[pegs][digit] = before ^ carry;
                carry &= before;
            }
        }
    }
#pragma unroll
    for (int pegs = 0; pegs < TOTAL; pegs++)
#pragma unroll
        for (int digit = 0; digit < D; digit++) out[pegs * D + digit] = count[pegs][digit];
}

template <int D, bool EIGHT>
static __device__ __forceinline__ void count_total(u32 total, const u32 *masks, const u64 *plans, u32 codes, u32 *out) {
    switch (total) {
#define TOTAL(T) case T: if (T <= CELLS) count_black<(T <= CELLS ? T : CELLS), D, EIGHT>(masks, plans, codes, out); break;
        TOTAL(1) TOTAL(2) TOTAL(3) TOTAL(4) TOTAL(5) TOTAL(6) TOTAL(7)
#undef TOTAL
    }
}

// Turns eight digits of 32 numbers into bytes: byte b of word w is the number in bit 8 b + w.
static __device__ __forceinline__ void to_bytes(u32 words[8]) {
#pragma unroll
    for (int step = 0; step < 3; step++) {
        const int shift = 1 << step;
        const u32 keep = step == 0 ? 0x55555555u : step == 1 ? 0x33333333u : 0x0f0f0f0fu;
#pragma unroll
        for (int at = 0; at < 8; at++) {
            if (at & shift) continue;
            u32 a = words[at], b = words[at + shift];
            words[at] = (a & keep) | ((b << shift) & ~keep);
            words[at + shift] = ((a >> shift) & keep) | (b & ~keep);
        }
    }
}

// Tells what the cheapest of a warp's guesses costs. Costs are those of guesses 8 b + w at 4 w + b.
static __device__ __forceinline__ void tell(const Unit &unit, const u32 *__restrict__ ranks, const u64 costs[32], u32 lane,
                                            Found *found) {
    u32 first = lane * 32;
    u32 real = first >= unit.guesses ? 0 : unit.guesses - first >= 32 ? ~0u : (1u << (unit.guesses - first)) - 1;
    u64 best = ~0ull;
    u32 best_bit = 0;
    // In the order of rows, so that the lowest of equals is kept.
#pragma unroll
    for (int bit = 0; bit < 32; bit++) {
        u64 cost = costs[4 * (bit % 8) + bit / 8];
        if (cost < best && (real >> bit & 1)) {
            best = cost;
            best_bit = bit;
        }
    }
    u64 known = found->cost;
    bool candidate = best <= known;
    if (!__any_sync(ALL_LANES, candidate)) return;
    u32 best_row = candidate ? ranks[unit.ranks + first + best_bit] : ~0u;
    if (!candidate) best = ~0ull;
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        u64 cost = __shfl_down_sync(ALL_LANES, best, step);
        u32 row = __shfl_down_sync(ALL_LANES, best_row, step);
        if (cost < best || (cost == best && row < best_row)) {
            best = cost;
            best_row = row;
        }
    }
    if (lane == 0) {
        // Costs only fall, and a row is written before the cost it goes with: what is read here is never too good.
        u64 cost = found->cost;
        __threadfence();
        u32 row = found->row;
        if (best < cost || (best == cost && best_row < row)) {
            while (atomicCAS(&found->lock, 0u, 1u) != 0u) {
            }
            __threadfence();
            if (best < found->cost || (best == found->cost && best_row < found->row)) {
                found->row = best_row;
                __threadfence();
                found->cost = best;
            }
            __threadfence();
            atomicExch(&found->lock, 0u);
        }
    }
    __syncwarp();
}

// Whether no guess of a unit can be better than what was found, given what they cost at least.
static __device__ __forceinline__ bool hopeless(const Unit &unit, u64 least, const Found *found) {
    u64 cost = found->cost;
    __threadfence();
    u32 row = found->row;
    bool over = least > cost || (least == cost && unit.lowest >= row);
    // Lanes may have read at different times, and must stay together.
    return __any_sync(ALL_LANES, over);
}

// Sets of at most FEW codes.
template <bool LARGEST>
static __device__ __forceinline__ void price_few(const Unit *__restrict__ units, u32 unit_count, const u32 *__restrict__ masks,
                                                 const u32 *__restrict__ ranks, u32 colors, const Job *__restrict__ jobs,
                                                 u32 job_count, const u64 *__restrict__ codes,
                                                 const u64 *__restrict__ weights, Found *found) {
    extern __shared__ u64 shared[];
    u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // What parts of each size cost, for all warps.
    u64 *known_weights = shared;
    u32 most = (u32)weights[-1];
    for (u32 at = threadIdx.x; at <= FEW; at += WARPS * 32) known_weights[at] = at < most ? weights[at] : 0;
    __syncthreads();
    typedef Space<FEW + 1> Few;
    Few &space = *(Few *)((u8 *)(shared + FEW + 1) + warp * sizeof(Few));
    u32 number = blockIdx.x * WARPS + warp;
    if (number >= unit_count) return;
    const Unit unit = units[number];
    prepare(space, unit, masks, colors, lane);
    const u32 *own = &space.masks[0][lane];

    for (u32 at = blockIdx.y; at < job_count; at += gridDim.y) {
        const Job job = jobs[at];
        if (hopeless(unit, job.least, found + at)) continue;
        u32 totals[CELLS + 1], begins[CELLS + 1];
        __syncwarp();
        list(space, unit, codes + job.first, job.codes, lane, totals);
        if (hopeless(unit, at_least<LARGEST>(totals, weights, lane), found + at)) continue;
        sort(space, unit, job.codes, 4, lane, totals, begins);
        u64 costs[32];
#pragma unroll
        for (int guess = 0; guess < 32; guess++) costs[guess] = 0;
#pragma unroll 1
        for (u32 total = 0; total <= CELLS; total++) {
            u32 those = 0, begin = 0;
#pragma unroll
            for (int known = 0; known <= CELLS; known++) {
                those = total == known ? totals[known] : those;
                begin = total == known ? begins[known] : begin;
            }
            if (those == 0) continue;
            if (those == 1 || total == 0) {
                // However they are told apart, they are not.
                u64 weight = known_weights[those];
#pragma unroll
                for (int guess = 0; guess < 32; guess++) costs[guess] = with_part<LARGEST>(costs[guess], weight);
                continue;
            }
            u32 counted[CELLS * FEW_DIGITS];
            u32 digits = those < 16 ? 4 : FEW_DIGITS;
            if (those < 16) count_total<4, false>(total, own, space.sorted + begin, those, counted);
            else count_total<FEW_DIGITS, false>(total, own, space.sorted + begin, those, counted);
            // Those with no black peg are the others.
            u32 none[8];
#pragma unroll
            for (int word = 0; word < 8; word++) none[word] = those * 0x01010101u;
#pragma unroll 1
            for (u32 pegs = 0; pegs <= total; pegs++) {
                u32 sizes[8];
                if (pegs < total) {
                    if (total == CELLS && pegs == CELLS - 2) continue;
                    if (digits == 4) {
#pragma unroll
                        for (int word = 0; word < 8; word++) sizes[word] = word < 4 ? counted[pegs * 4 + word] : 0;
                    } else {
#pragma unroll
                        for (int word = 0; word < 8; word++) sizes[word] = counted[pegs * FEW_DIGITS + word];
                    }
                    to_bytes(sizes);
#pragma unroll
                    for (int word = 0; word < 8; word++) none[word] -= sizes[word];
                } else {
#pragma unroll
                    for (int word = 0; word < 8; word++) sizes[word] = none[word];
                }
#pragma unroll
                for (int word = 0; word < 8; word++)
#pragma unroll
                    for (int byte = 0; byte < 4; byte++) {
                        u32 size = __byte_perm(sizes[word], 0, 0x4440 + byte);
                        costs[4 * word + byte] = with_part<LARGEST>(costs[4 * word + byte], known_weights[size]);
                    }
            }
        }
        tell(unit, ranks, costs, lane, found + at);
    }
}

// Sets of any size.
template <bool LARGEST>
static __device__ __forceinline__ void price_many(const Unit *__restrict__ units, u32 unit_count, const u32 *__restrict__ masks,
                                                  const u32 *__restrict__ ranks, u32 colors, const Job *__restrict__ jobs,
                                                  u32 job_count, const u64 *__restrict__ codes,
                                                  const u64 *__restrict__ weights, Found *found) {
    extern __shared__ u64 shared[];
    u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    typedef Space<CHUNK> Many;
    Many &space = *(Many *)((u8 *)shared + warp * sizeof(Many));
    u32 number = blockIdx.x * WARPS + warp;
    if (number >= unit_count) return;
    const Unit unit = units[number];
    prepare(space, unit, masks, colors, lane);
    const u32 *own = &space.masks[0][lane];
    u32 counters[CELLS * (CELLS + 1) / 2][DIGITS];

    for (u32 at = blockIdx.y; at < job_count; at += gridDim.y) {
        const Job job = jobs[at];
        if (hopeless(unit, job.least, found + at)) continue;
        u32 all[CELLS + 1];
        bool at_once = job.codes <= CHUNK;
        __syncwarp();
        if (at_once) list(space, unit, codes + job.first, job.codes, lane, all);
        else count_totals(space, unit, codes + job.first, job.codes, lane, all);
        if (hopeless(unit, at_least<LARGEST>(all, weights, lane), found + at)) continue;
        u32 digits = 32 - __clz(job.codes);
        for (int mark = 0; mark < CELLS * (CELLS + 1) / 2; mark++)
            for (u32 digit = 0; digit < digits; digit++) counters[mark][digit] = 0;
#pragma unroll 1
        for (u32 first = 0; first < job.codes; first += CHUNK) {
            u32 count = min((u32)CHUNK, job.codes - first);
            u32 totals[CELLS + 1], begins[CELLS + 1];
            __syncwarp();
#pragma unroll
            for (int total = 0; total <= CELLS; total++) totals[total] = all[total];
            if (!at_once) list(space, unit, codes + job.first + first, count, lane, totals);
            sort(space, unit, count, 8, lane, totals, begins);
            u32 mark = 0;
#pragma unroll 1
            for (u32 total = 1; total <= CELLS; mark += total, total++) {
                u32 those = 0, begin = 0;
#pragma unroll
                for (int known = 0; known <= CELLS; known++) {
                    those = total == known ? totals[known] : those;
                    begin = total == known ? begins[known] : begin;
                }
                if (those == 0) continue;
                u32 counted[CELLS * CHUNK_DIGITS];
                count_total<CHUNK_DIGITS, true>(total, own, space.sorted + begin, those, counted);
                for (u32 pegs = 0; pegs < total; pegs++) {
                    u32 carry = 0;
                    u32 *counter = counters[mark + pegs];
                    for (u32 digit = 0; digit < digits; digit++) {
                        u32 add = digit < CHUNK_DIGITS ? counted[pegs * CHUNK_DIGITS + digit] : 0;
                        if (digit >= CHUNK_DIGITS && !__any_sync(ALL_LANES, carry != 0)) break;
                        u32 before = counter[digit];
                        counter[digit] = sum3(before, add, carry);
                        carry = carry3(before, add, carry);
                    }
                }
            }
        }
        u64 costs[32];
#pragma unroll
        for (int guess = 0; guess < 32; guess++) costs[guess] = 0;
        u32 mark = 0;
#pragma unroll 1
        for (u32 total = 0; total <= CELLS; mark += total, total++) {
            u32 those = 0;
#pragma unroll
            for (int known = 0; known <= CELLS; known++) those = total == known ? all[known] : those;
            if (those == 0) continue;
            u32 none[32];
#pragma unroll
            for (int guess = 0; guess < 32; guess++) none[guess] = those;
#pragma unroll 1
            for (u32 pegs = 0; pegs < total; pegs++) {
                if (total == CELLS && pegs == CELLS - 2) continue;
                u32 sizes[32];
#pragma unroll
                for (int guess = 0; guess < 32; guess++) sizes[guess] = 0;
#pragma unroll
                for (int eight = 0; eight < DIGITS / 8; eight++) {
                    if (digits <= 8 * eight) break;
                    u32 words[8];
#pragma unroll
                    for (int word = 0; word < 8; word++)
                        words[word] = 8 * eight + word < digits ? counters[mark + pegs][8 * eight + word] : 0;
                    to_bytes(words);
#pragma unroll
                    for (int guess = 0; guess < 32; guess++)
                        sizes[guess] |= __byte_perm(words[guess / 4], 0, 0x4440 + guess % 4) << (8 * eight);
                }
#pragma unroll
                for (int guess = 0; guess < 32; guess++) {
                    none[guess] -= sizes[guess];
                    costs[guess] = with_part<LARGEST>(costs[guess], __ldg(weights + sizes[guess]));
                }
            }
#pragma unroll
            for (int guess = 0; guess < 32; guess++)
                costs[guess] = with_part<LARGEST>(costs[guess], __ldg(weights + none[guess]));
        }
        tell(unit, ranks, costs, lane, found + at);
    }
}

// units: the pool. masks and ranks: those of its guesses. codes: a byte a cell. weights: what a part of each size costs, after
// how many sizes there are. Blocks take some units and every so many jobs.
#define PRICE(name, how)                                                                                                    \
    extern "C" __global__ void __launch_bounds__(WARPS * 32, 3)                                                             \
    name(const Unit *__restrict__ units, u32 unit_count, const u32 *__restrict__ masks, const u32 *__restrict__ ranks,      \
         u32 colors, const Job *__restrict__ jobs, u32 job_count, const u64 *__restrict__ codes,                            \
         const u64 *__restrict__ weights, Found *found) {                                                                   \
        how(units, unit_count, masks, ranks, colors, jobs, job_count, codes, weights + 1, found);                           \
    }

PRICE(price_few_by_sum, price_few<false>)
PRICE(price_few_by_largest, price_few<true>)
PRICE(price_many_by_sum, price_many<false>)
PRICE(price_many_by_largest, price_many<true>)
