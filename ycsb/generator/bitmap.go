package generator

import (
	"math/bits"
	"sync/atomic"
)

// words is an array of 2^59 and more words, zero at first, of which only those parts take memory that were
// asked for. It is a tree that grows at the root. Its methods are safe for concurrent use and never wait.
type words struct{ root atomic.Pointer[node] }

// A leaf holds 16 words, a node that is h levels above the leaves has 256 kids.
const (
	leafBits = 4
	leafLen  = 1 << leafBits
	kidBits  = 8
	kidLen   = 1 << kidBits
)

type node struct {
	height int
	kids   []atomic.Pointer[node] // nil in a leaf
	words  []atomic.Uint64        // nil elsewhere
	full   atomic.Uint32          // at least so many kids, or exactly so many bits, are full (bitmap only)
}

func newNode(height int) *node {
	if height > 0 {
		n := &struct {
			node
			array [kidLen]atomic.Pointer[node]
		}{node: node{height: height}}
		n.kids = n.array[:]
		return &n.node
	}
	n := &struct {
		node
		array [leafLen]atomic.Uint64
	}{}
	n.words = n.array[:]
	return &n.node
}

// shift is the binary logarithm of the number of words below n.
func (n *node) shift() int { return leafBits + n.height*kidBits }

// kid returns where the kid is that holds word i.
func (n *node) kid(i uint64) *atomic.Pointer[node] {
	return &n.kids[i>>(n.shift()-kidBits)%kidLen]
}

// word returns word i, given its leaf.
func (n *node) word(i uint64) *atomic.Uint64 { return &n.words[i%leafLen] }

// find returns the leaf of word i, nil if it has none.
func (w *words) find(i uint64) *node {
	n := w.root.Load()
	if n == nil || i>>n.shift() != 0 {
		return nil
	}
	for n.height > 0 {
		if n = n.kid(i).Load(); n == nil {
			return nil
		}
	}
	return n
}

// leaf returns the leaf of word i, made if need be.
func (w *words) leaf(i uint64) *node {
	n := w.root.Load()
	for n == nil || i>>n.shift() != 0 {
		w.grow(n)
		n = w.root.Load()
	}
	for n.height > 0 {
		slot := n.kid(i)
		kid := slot.Load()
		for kid == nil {
			slot.CompareAndSwap(nil, newNode(n.height-1))
			kid = slot.Load() // another's, or nil again, if it was dropped at once
		}
		n = kid
	}
	return n
}

// grow puts a root above root, unless another did.
func (w *words) grow(root *node) {
	if root == nil {
		w.root.CompareAndSwap(nil, newNode(0))
		return
	}
	n := newNode(root.height + 1)
	n.kids[0].Store(root)
	w.root.CompareAndSwap(root, n)
}

// drop lets go of the largest part that ends before word i, a multiple of leafLen; who has a leaf of it may go
// on with it, unseen by others. Called at each multiple in turn it leaves nothing behind.
func (w *words) drop(i uint64) {
	n := w.root.Load()
	for n != nil && n.height > 0 {
		slot := n.kid(i - 1)
		if i&(1<<(n.shift()-kidBits)-1) == 0 {
			slot.Store(nil)
			return
		}
		n = slot.Load()
	}
}

// bitmap is a set of numbers that only grows. The zero bitmap is empty; methods are safe for concurrent use.
type bitmap struct{ words words }

func (b *bitmap) has(n uint64) bool {
	leaf := b.words.find(n / 64)
	return leaf != nil && leaf.word(n/64).Load()>>(n%64)&1 == 1
}

// add reports whether n was not in b before.
func (b *bitmap) add(n uint64) bool {
	leaf := b.words.leaf(n / 64)
	bit := uint64(1) << (n % 64)
	if leaf.word(n/64).Or(bit)&bit != 0 {
		return false
	}
	if leaf.full.Add(1) == 64*leafLen {
		addFull(b.words.root.Load(), n/64)
	}
	return true
}

// addFull notes in the nodes above the leaf of word i that it has become full, and reports whether n became
// full by that. A root that grows at the same time may miss it, which costs time only.
func addFull(n *node, i uint64) bool {
	if n.height == 0 {
		return true
	}
	return addFull(n.kid(i).Load(), i) && n.full.Add(1) == kidLen
}

func (n *node) isFull() bool {
	if n.height == 0 {
		return n.full.Load() == 64*leafLen
	}
	return n.full.Load() == kidLen
}

// next returns the first number from n on that is not in b, or end if there is none below it.
func (b *bitmap) next(n, end uint64) uint64 {
	for n < end {
		leaf, skip := b.descend(n / 64)
		if leaf == nil && skip == 0 {
			return n
		}
		if leaf == nil {
			n = skip * 64
			continue
		}
		free := ^leaf.word(n/64).Load() >> (n % 64)
		if free != 0 {
			return min(n+uint64(bits.TrailingZeros64(free)), end)
		}
		n = (n/64 + 1) * 64
	}
	return end
}

// descend returns the leaf of word i, or the first word after a part that is full, or neither where b is empty.
func (b *bitmap) descend(i uint64) (leaf *node, skip uint64) {
	n := b.words.root.Load()
	if n == nil || i>>n.shift() != 0 {
		return nil, 0
	}
	for n.height > 0 {
		kid := n.kid(i).Load()
		switch {
		case kid == nil:
			return nil, 0
		case kid.isFull():
			return nil, (i>>kid.shift() + 1) << kid.shift()
		}
		n = kid
	}
	return n, 0
}
