// The cheapest guess of a pool for each of many sets of codes: rows with black and white pegs.
//
// Compiled once for each number of cells (-DCELLS=4), see scripts/compile-device-kernels.
//
// A bit of a word is a guess: a thread has 32 of them, a warp 1024, and the codes of a set come one after another. The masks
// of a guess are those of `Slices`: for every cell and color the guesses that have it there, for every color and number the
// guesses that show it at least so often. Full adders sum the masks that a code names to black and to all pegs, in binary,
// and count how often each mark comes up, a digit a word. Counts of up to 15 codes stay in registers; for more they are
// added to counters in memory. What a guess costs is the sum, or the largest, of a weight for the size of each part.

#ifndef CELLS
#error "CELLS: 3 to 7"
#endif

typedef unsigned int u32;
typedef unsigned long long u64;

#define MARKS (CELLS * (CELLS + 3) / 2)
#define WARPS 4
#define LANE_GUESSES 32
#define TILE (WARPS * 32 * LANE_GUESSES)
// Codes whose counts fit the registers, and the digits that takes.
#define BATCH 15
#define SHORT 4
// Digits of the counters in memory: sets of up to 2^25 codes.
#define DIGITS 26
// Words of 32 guesses in a slice of the pool.
#define SLICE_WORDS 16

// One set of codes.
struct Job {
    u32 first;      // of its codes
    u32 codes;      // how many
    u32 min_parts;  // guesses that make fewer parts are of no use
    u32 digits;     // of the number of its codes
    u64 bound;      // guesses that cost this much or more are of no use
    u64 least;      // no guess costs less
};

// The best guess found for a set: the lowest cost, and of those the lowest row.
struct Found {
    volatile u64 cost;
    volatile u32 row;
    u32 lock;
};

static __device__ __forceinline__ u32 sum3(u32 a, u32 b, u32 c) { return a ^ b ^ c; }
static __device__ __forceinline__ u32 carry3(u32 a, u32 b, u32 c) { return (a & b) | (c & (a ^ b)); }

// How many of the masks that a code names each guess is in, in binary.
static __device__ __forceinline__ void add_masks(const u32 *masks, const u32 *named, u32 bits[3]) {
    u32 low = 0, middle = 0, high = 0;
    u32 mask[8];
#pragma unroll
    for (int cell = 0; cell < 8; cell++) mask[cell] = cell < CELLS ? masks[named[cell]] : 0;
    u32 c1 = carry3(mask[0], mask[1], mask[2]);
    low = sum3(mask[0], mask[1], mask[2]);
    u32 c2 = carry3(low, mask[3], mask[4]);
    low = sum3(low, mask[3], mask[4]);
    u32 c3 = carry3(low, mask[5], mask[6]);
    low = sum3(low, mask[5], mask[6]);
    middle = sum3(c1, c2, c3);
    high = carry3(c1, c2, c3);
    bits[0] = low;
    bits[1] = middle;
    bits[2] = high;
}

// The guesses for which three bits are the digits of a number.
static __device__ __forceinline__ u32 equals(const u32 bits[3], int number) {
    u32 low = number & 1 ? bits[0] : ~bits[0];
    u32 middle = number & 2 ? bits[1] : ~bits[1];
    u32 high = number & 4 ? bits[2] : ~bits[2];
    return low & middle & high;
}

static __device__ __forceinline__ u64 cost_of(u64 cost, u64 weight, int largest) {
    return largest ? (weight > cost ? weight : cost) : cost + weight;
}

// masks: the pool, slice by slice, `width` masks each. plans: for each code 16 offsets into a slice, in words: those of its
// cells, then of its colors. weights: what a part of each size costs. Blocks take a tile of the pool and every so many jobs.
extern "C" __global__ void __launch_bounds__(WARPS * 32, 2)
price(const u32 *__restrict__ masks, u32 width, u32 rows, const Job *__restrict__ jobs, u32 job_count,
      const uint4 *__restrict__ plans, const u64 *__restrict__ weights, int largest, Found *found) {
    extern __shared__ u32 shared[];
    u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u32 slices = (rows + 511) / 512;
    // The masks of this warp's two slices.
    u32 *own = shared + warp * (2 * width * SLICE_WORDS);
    u32 first_slice = blockIdx.x * (WARPS * 2) + warp * 2;
    for (u32 at = lane; at < 2 * width * SLICE_WORDS; at += 32) {
        u32 slice = first_slice + at / (width * SLICE_WORDS);
        own[at] = slice < slices ? masks[(u64)first_slice * width * SLICE_WORDS + at] : 0;
    }
    __syncwarp();
    const u32 *lane_masks = own + (lane / SLICE_WORDS) * width * SLICE_WORDS + lane % SLICE_WORDS;
    u32 first_row = (first_slice + lane / SLICE_WORDS) * 512 + lane % SLICE_WORDS * LANE_GUESSES;
    u32 beyond = first_row >= rows ? LANE_GUESSES : first_row + LANE_GUESSES > rows ? first_row + LANE_GUESSES - rows : 0;
    u32 real = beyond == 0 ? ~0u : beyond >= LANE_GUESSES ? 0 : (~0u >> beyond);
    u32 memory[MARKS][DIGITS];

    for (u32 job_at = blockIdx.y; job_at < job_count; job_at += gridDim.y) {
        const Job job = jobs[job_at];
        {
            // The cheapest there can be, in a lower row: nothing here is of use.
            u64 cost = found[job_at].cost;
            bool over = cost == job.least && found[job_at].row < first_slice * 512;
            // Lanes may have read at different times, and must stay together.
            if (__any_sync(~0u, over)) continue;
        }
        const uint4 *plan = plans + (u64)job.first * 4;
        u32 count[SHORT][MARKS];
        bool in_memory = job.codes > BATCH;
        if (in_memory) {
            for (int mark = 0; mark < MARKS; mark++)
                for (u32 digit = 0; digit < job.digits; digit++) memory[mark][digit] = 0;
        }
        for (u32 start = 0; start < job.codes; start += BATCH) {
#pragma unroll
            for (int digit = 0; digit < SHORT; digit++)
#pragma unroll
                for (int mark = 0; mark < MARKS; mark++) count[digit][mark] = 0;
            u32 end = min(start + BATCH, job.codes);
#pragma unroll 1
            for (u32 code = start; code < end; code += 4) {
                u32 black[4][3], total[CELLS + 1][4];
#pragma unroll
                for (int term = 0; term < 4; term++) {
                    // Past the end the last code stands in, and its marks do not count.
                    u32 at = min(code + term, end - 1);
                    u32 named[16], bits[3];
#pragma unroll
                    for (int quarter = 0; quarter < 4; quarter++) {
                        uint4 four = __ldg(plan + (u64)at * 4 + quarter);
                        named[4 * quarter] = four.x;
                        named[4 * quarter + 1] = four.y;
                        named[4 * quarter + 2] = four.z;
                        named[4 * quarter + 3] = four.w;
                    }
                    add_masks(lane_masks, named, black[term]);
                    add_masks(lane_masks, named + 8, bits);
                    u32 counts = code + term < end ? ~0u : 0u;
#pragma unroll
                    for (int pegs = 0; pegs <= CELLS; pegs++) total[pegs][term] = equals(bits, pegs) & counts;
                }
                int mark = 0;
#pragma unroll
                for (int pegs = 0; pegs <= CELLS; pegs++) {
                    u32 is[4];
#pragma unroll
                    for (int term = 0; term < 4; term++) is[term] = equals(black[term], pegs);
#pragma unroll
                    for (int shown = pegs; shown <= CELLS; shown++) {
                        if (pegs == CELLS - 1 && shown == CELLS) continue;
                        u32 m0 = is[0] & total[shown][0], m1 = is[1] & total[shown][1];
                        u32 m2 = is[2] & total[shown][2], m3 = is[3] & total[shown][3];
                        u32 ones = count[0][mark];
                        u32 a = carry3(ones, m0, m1);
                        ones = sum3(ones, m0, m1);
                        u32 b = carry3(ones, m2, m3);
                        count[0][mark] = sum3(ones, m2, m3);
                        u32 twos = count[1][mark];
                        u32 c = carry3(twos, a, b);
                        count[1][mark] = sum3(twos, a, b);
                        u32 fours = count[2][mark];
                        count[2][mark] = fours ^ c;
                        count[3][mark] ^= fours & c;
                        mark++;
                    }
                }
            }
            if (in_memory) {
#pragma unroll
                for (int mark = 0; mark < MARKS; mark++) {
                    u32 carry = 0;
#pragma unroll
                    for (int digit = 0; digit < SHORT; digit++) {
                        u32 before = memory[mark][digit];
                        memory[mark][digit] = sum3(before, count[digit][mark], carry);
                        carry = carry3(before, count[digit][mark], carry);
                    }
                    for (u32 digit = SHORT; carry != 0 && digit < job.digits; digit++) {
                        u32 before = memory[mark][digit];
                        memory[mark][digit] = before ^ carry;
                        carry &= before;
                    }
                }
            }
        }
        u32 digits = in_memory ? job.digits : SHORT;
        if (!in_memory) {
#pragma unroll
            for (int mark = 0; mark < MARKS; mark++)
#pragma unroll
                for (int digit = 0; digit < SHORT; digit++) memory[mark][digit] = count[digit][mark];
        }
        // How many parts each guess makes, in binary: six digits are enough for 35.
        u32 parts[6] = {0, 0, 0, 0, 0, 0};
#pragma unroll 1
        for (int mark = 0; mark < MARKS; mark++) {
            u32 carry = 0;
            for (u32 digit = 0; digit < digits; digit++) carry |= memory[mark][digit];
#pragma unroll
            for (int digit = 0; digit < 6; digit++) {
                u32 before = parts[digit];
                parts[digit] = before ^ carry;
                carry &= before;
            }
        }
        // Those that make enough of them: the highest digit in which they differ decides.
        u32 more = 0, same = ~0u;
#pragma unroll
        for (int digit = 5; digit >= 0; digit--) {
            u32 wanted = (job.min_parts >> digit) & 1 ? ~0u : 0u;
            more |= same & parts[digit] & ~wanted;
            same &= ~(parts[digit] ^ wanted);
        }
        u32 candidates = (more | same) & real;

        u64 best = job.bound;
        u32 best_row = ~0u;
        if (__any_sync(~0u, candidates != 0)) {
            if (__popc(candidates) <= 8) {
                while (candidates != 0) {
                    u32 guess = __ffs(candidates) - 1;
                    candidates &= candidates - 1;
                    u64 cost = 0;
#pragma unroll 1
                    for (int mark = 0; mark < MARKS; mark++) {
                        u32 size = 0;
                        for (u32 digit = 0; digit < digits; digit++) size |= ((memory[mark][digit] >> guess) & 1) << digit;
                        cost = cost_of(cost, __ldg(weights + size), largest);
                    }
                    if (cost < best) {
                        best = cost;
                        best_row = first_row + guess;
                    }
                }
            } else {
#pragma unroll 1
                for (int half = 0; half < 2; half++) {
                    u64 costs[16];
#pragma unroll
                    for (int at = 0; at < 16; at++) costs[at] = 0;
#pragma unroll 1
                    for (int mark = 0; mark < MARKS; mark++) {
                        u32 sizes[16];
#pragma unroll
                        for (int at = 0; at < 16; at++) sizes[at] = 0;
                        for (u32 digit = 0; digit < digits; digit++) {
                            u32 bits = memory[mark][digit] >> (16 * half);
#pragma unroll
                            for (int at = 0; at < 16; at++) sizes[at] |= ((bits >> at) & 1) << digit;
                        }
#pragma unroll
                        for (int at = 0; at < 16; at++) costs[at] = cost_of(costs[at], __ldg(weights + sizes[at]), largest);
                    }
#pragma unroll
                    for (int at = 0; at < 16; at++) {
                        if ((candidates >> (16 * half + at) & 1) && costs[at] < best) {
                            best = costs[at];
                            best_row = first_row + 16 * half + at;
                        }
                    }
                }
            }
        }
        // The best of the warp: lowest cost, then lowest row.
#pragma unroll
        for (int step = 16; step > 0; step /= 2) {
            u64 cost = __shfl_down_sync(~0u, best, step);
            u32 row = __shfl_down_sync(~0u, best_row, step);
            if (cost < best || (cost == best && row < best_row)) {
                best = cost;
                best_row = row;
            }
        }
        if (lane == 0 && best_row != ~0u) {
            Found *mine = found + job_at;
            // Costs only fall, and a row is written before the cost it goes with: what is read here is never too good.
            u64 cost = mine->cost;
            __threadfence();
            u32 row = mine->row;
            if (best < cost || (best == cost && best_row < row)) {
                while (atomicCAS(&mine->lock, 0u, 1u) != 0u) {
                }
                __threadfence();
                if (best < mine->cost || (best == mine->cost && best_row < mine->row)) {
                    mine->row = best_row;
                    __threadfence();
                    mine->cost = best;
                }
                __threadfence();
                atomicExch(&mine->lock, 0u);
            }
        }
    }
}
